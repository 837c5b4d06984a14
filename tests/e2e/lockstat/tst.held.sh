# timeout: 60
# Locks that are held until somebody waits for them: who waits, for how long, and for
# which lock for readers and writers who has it (some file systems lock a folder for
# writing to read it; tmpfs does not).  One who is killed gets no lock.  (All the
# machine's waits are kept meanwhile, also those for the locks of our own tables: of these
# some may be dropped, before 6.16.)
grep -q ' __traceiter_contention_begin$' /proc/kallsyms || { echo 'no tracepoint contention_begin before Linux 5.19'; exit 77; }
cat >script <<'END'
lockstat:::rw-block, lockstat:::adaptive-block, lockstat:::adaptive-acquire-error
/progenyof($target)/ { printf("%s %d %d %d %d %d\n", probename, tid, arg1, arg2, arg3, arg4); }
lockstat::: /progenyof($target) && arg0 == 0/ { printf("no lock\n"); }
END
cat >compare <<'END'
import sys
lines = [line.split() for line in open('seen') if line.strip()]
for who, tid, least, most in (l for l in lines if len(l) == 4):
    for name, other, *args in (l for l in lines if len(l) == 6):
        if other == tid and (name.endswith('error') or
                             int(least) <= int(args[0]) <= int(most)):
            print(who, name, *args[name.endswith('block'):])
print([l for l in lines if len(l) not in (4, 6)])
END
for what in dir tty; do
	rm -f seen
	"$DTRACE" -q -s script -o seen -c "unshare -m sh -c 'mkdir -p mnt; mount -t tmpfs t mnt; cd mnt; python3 $HERE/hold.py $what'" >held 2>told
	grep -v 'dynamic variable drops*$' told >&2
	cat held >>seen
	python3 compare
done
