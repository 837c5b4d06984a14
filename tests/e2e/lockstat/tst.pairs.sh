# Where functions can be probed: who gets a lock releases it, and a program that uses
# some so often gets them so often: the mutex of a pipe, the lock of what it has mapped,
# the spin lock of an eventfd, the rwlock of the tasks.
# timeout: 120
"$DTRACE" -l -n 'lockstat:::adaptive-acquire' >/dev/null 2>&1 || {
	echo "functions cannot be probed here"; exit 77
}
cat >work <<'END'
import mmap, os, sys
N = 1000
if sys.argv[1] == 'adaptive':
    r, w = os.pipe()
    for i in range(N):
        os.write(w, b'x')
        os.read(r, 1)
elif sys.argv[1] == 'rw':
    for i in range(N):
        mmap.mmap(-1, 4096).close()
        os.setpgid(0, 0)
        try:
            os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            pass
else:
    e = os.eventfd(0)
    for i in range(N):
        os.eventfd_write(e, 1)
        os.eventfd_read(e)
END
for kind in adaptive rw spin; do
	[ $kind = adaptive ] || grep -q ' _raw_spin_unlock_irq$' /proc/kallsyms || {
		echo "what releases a spin lock is part of its callers here"; exit 77
	}
	probe=$kind
	case $kind,$(uname -v) in spin,*PREEMPT_RT*) probe=adaptive ;; esac
	"$DTRACE" -q -x aggsize=8m -x dynvarsize=16m -n '
	lockstat:::'$probe'-acquire /pid == $target/ {
		@got[arg0] = count(); @open[arg0] = sum(1); self->at[arg0] = timestamp; }
	lockstat:::'$probe'-release /pid == $target/ { @open[arg0] = sum(-1); }
	lockstat:::'$probe'-release /pid == $target && self->at[arg0]/ {
		@held = min(timestamp - self->at[arg0]); self->at[arg0] = 0; }
	END { printa("got %x %@d\n", @got); printa("open %x %@d\n", @open);
		printa("held %@d\n", @held); }' -c "python3 work $kind" >out 2>err
	# Where an interrupt of what updates a table gets a lock, its update is a drop.
	grep -v -e 'firings\? lost' -e ' drops\? ' -e ' drops\?$' -e '^$' err
	lost=$(awk '/ drops?( |$)/ { n += $2 } END { print n + 0 }' err)
	# Of a run queue that another thread releases nothing is asked.
	awk -v kind=$kind -v lost=$lost 'function near(n) { return n <= lost && -n <= lost }
		$1 == "got" { n[$2] = $3 }
		$1 == "open" { open[$2] = $3 } $1 == "held" { held = $2 }
		END { for (l in open) if (kind != "spin" && !near(open[l])) print "open", open[l], n[l]
			for (l in n) if (n[l] >= 2000 - lost) { often++; paired += near(open[l]) }
			print kind, (often >= (kind == "rw" ? 2 : 1)), (paired == often), (held > 0) }' out |
		tee said
	[ "$(cat said)" = "$kind 1 1 1" ] || exit 0
done
