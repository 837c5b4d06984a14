# timeout: 60
# Many short-lived threads with variables of their own: with the task (n, s), and
# where there is no room for them (u), and arrays.  Room that is given back is
# there for the next; what the dead leave behind does not fill the store, and no
# thread finds what another has left.  Where threads die faster than a busy machine
# sweeps up, what is lost is counted.
n=$(times 8500)
check() {	# DYNVARSIZE AT-THE-END
	"$DTRACE" -q -x strsize=2k -x dynvarsize=$1 -n '
	self int n; self string s, u; self int a[int];
	syscall::getppid:entry
	/pid == $target/
	{
		@ = count();
		@stale = sum(self->n != 0 || self->s != "" || self->u != "" ||
		    self->a[0] != 0 || self->a[tid & 3] != 0);
		self->n = tid;
		self->s = execname;
		self->u = probefunc;
		self->a[0] = tid;
		self->a[tid & 3] = tid;
		@good = sum(self->n == tid && self->s == execname && self->u == probefunc &&
		    self->a[0] == tid && self->a[tid & 3] == tid);
	}
	syscall::getppid:return /pid == $target/ { '"$2"' }' \
	-c "$WORKLOAD -t 4 spawn:$n" >out 2>err
	awk -v n=$n '/drops?$/ { lost += $2; next }
		NF { v[++nv] = $1 }
		END {
			print v[1] / n, v[2]
			ok = v[3] + lost >= 4 * n && lost < n / 5
			print ok ? "all" : v[3] " and " lost
		}' err out
	! grep -v 'dynamic variable drops*$' err
}
check 20k 'self->n = 0; self->s = NULL; self->u = NULL; self->a[0] = 0; self->a[tid & 3] = 0;'
check 1m ''
