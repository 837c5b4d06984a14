# A trace that is saved is shown again, byte for byte: rows, aggregations at any
# time, speculations, stacks and names of a process that is gone, print(), in each
# form, under the program's text and the time at which it began.
cat >all.d <<'END'
this struct { int (*compare)(char *, char *); struct list_head *(*find)(void); } ops;
BEGIN { printf("begin %d\n", 7); }
syscall:::entry /pid == $target/ { @[probefunc] = count(); @q["x"] = quantize(arg2); self->t = timestamp; }
syscall::write:return /pid == $target/ { trace(timestamp - self->t); stack(3); ustack(4); @s[stack(2)] = count(); }
syscall::getppid:entry /pid == $target/ { self->s = speculation(); speculate(self->s); printf("spec %d %Y\n", n++, walltimestamp); }
syscall::getppid:return /self->s && n & 1/ { commit(self->s); self->s = 0; }
syscall::getppid:return /self->s/ { discard(self->s); self->s = 0; }
syscall::read:return /pid == $target/ { print(*curthread->cred); this->ops.compare = (int (*)(char *, char *))16; print(this->ops); }
syscall::nanosleep:entry /pid == $target/ { trace(*(int *)0); }
syscall::nanosleep:return /pid == $target/ { printa(@); clear(@q); normalize(@q, 2); printf("%A %a\n", 0x10, uregs[R_RIP]); }
syscall::write:entry /pid == $target/ { printf("%a\n", arg1); }
profile-997 { @p[cpu, stack()] = count(); }
tick-20ms { printf("tick\n"); printa("%20s %@d\n", @); }
END { printa(@s); }
END
for form in text json jsonl folded flamegraph html perfetto; do
	"$DTRACE" -O $form -x nspec=4 -o live -x save=saved -s all.d -c \
		"$WORKLOAD getppid:20 read:2:10 write:2:10 sleep:5:20000 getppid:3" \
		>/dev/null 2>live.err || cat live.err
	"$DTRACE" -O $form -o again -r saved >/dev/null 2>again.err || cat again.err
	cmp live again && [ -s again ] && echo "$form: the same"
	grep -v 'matched\|^hint\|was noticed in time' live.err >1	# a busy machine
	grep -v '^hint' again.err >2
	cmp 1 2 || diff 1 2
	rm -f live again
done
"$DTRACE" -q -r saved >text 2>err
for what in tick '^spec ' '^0x10 workload`syscall+0x' '^workload`buf$' 'struct cred'; do
	grep -q "$what" text || echo "no $what"
done
grep -q 'invalid address' err && echo "-q as well"
