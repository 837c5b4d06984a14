# timeout: 30
# Numbers that tell whose they are, stored by four threads into elements that
# come and go: an element never holds what was meant for another.
n=$(times 100000)
cat >d <<'EOF'
uint64_t a[int, int]; uint64_t g; int i;
syscall::getppid:entry
/pid == $target/
{
	this->k = i++ % 5;
	a[this->k, 7] = 0x100010001 * (this->k + 1);
	g = 0x100010001 * (tid % 4 + 1);
	this->other = (this->k + tid) % 5;
	this->v = a[this->other, 7];
	@["a", this->v == 0 ? "absent" :
	    this->v == 0x100010001 * (this->other + 1) ? "good" : "bad"] = count();
	a[(this->k + 3) % 5, 7] = 0;
	this->v = g;
	@["g", this->v >= 0x100010001 && this->v <= 0x400040004 &&
	    this->v % 0x100010001 == 0 ? "good" : "bad"] = count();
	self->mine = tid * 0x100010001;
}
syscall::getppid:return
/self->mine/
{
	@["self", self->mine == tid * 0x100010001 ? "good" : "bad"] = count();
	self->mine = 0;
}
EOF
for size in 1m 64k; do		# the latter has no places in front (front.c)
	"$DTRACE" -q -x dynvarsize=$size -s d -c "$WORKLOAD -t 4 getppid:$n" >out
	awk -v n=$n 'NF == 3 { seen[$1] += $3 } $2 == "bad" { print }
		END { print seen["a"] / n, seen["g"] / n, seen["self"] / n }' out
done
