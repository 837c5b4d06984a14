# One buffer is enough for a thread that begins a speculation whenever the last one
# has ended, however fast: none fails, and of each the right thing becomes.
n=$(times 100000)
"$DTRACE" -q -x nspec=1 -x bufsize=64m -n '
syscall::getppid:entry /pid == $target/ { self->s = speculation(); self->n++; }
syscall::getppid:entry /self->s/ { speculate(self->s); printf("%d\n", self->n); made++; }
syscall::getppid:return /self->s && self->n % 1000 == 0/ { commit(self->s); self->s = 0; }
syscall::getppid:return /self->s/ { discard(self->s); self->s = 0; }
' -c "$WORKLOAD getppid:$n" >out 2>err
cat err
awk -v n=$n 'NF && $1 != 1000 * ++rows { print "row", rows, $1 }
	END { print (rows == n / 1000 ? "all" : rows) }' out

# The classic use at the pace of a command, with the buffers that its author thought
# enough: each call that fails is shown.
"$DTRACE" -q -x nspec=16 -n '
syscall::openat:entry /pid == $target/ { self->s = speculation(); }
syscall::openat:entry /self->s/ { speculate(self->s); printf("open\n"); }
syscall::openat:return /pid == $target && errno/ { failed++; }
syscall::openat:return /self->s && errno/ { commit(self->s); self->s = 0; }
syscall::openat:return /self->s/ { discard(self->s); self->s = 0; }
END { printf("failed %d\n", failed); }' -c "cat $(echo nofile{1..25})" >out 2>err
grep -v 'No such file' err
awk '$1 == "open" { rows++ } $1 == "failed" { failed = $2 }
	END { print (rows == failed), (failed >= 25) }' out
