# timeout: 60
# Each wait is one firing, of the probe that the kind of lock has, since the
# tracepoint was there at first: of processes that write to one pipe,
# and of some that must wait.
grep -q ' __traceiter_contention_begin$' /proc/kallsyms || { echo 'no tracepoint contention_begin before Linux 5.19'; exit 77; }
cat >script <<'END'
sdt:::contention_begin /progenyof($target)/
{ printf("b %d %x %d %d\n", tid, arg0, arg1, timestamp); }
sdt:::contention_end /progenyof($target)/
{ printf("e %d %x %d %d\n", tid, arg0, (int)arg1, timestamp); }
lockstat:::*-block, lockstat:::*-spin /progenyof($target)/
{ printf("%s %d %x %d %d\n", probename, tid, arg0, timestamp, timestamp - arg1); }
END
cat >work <<'END'
import os
SIZE, TIMES, KIDS = 4096, 300, 6
r, w = os.pipe()
for i in range(KIDS):
    if os.fork() == 0:
        for k in range(TIMES):
            os.write(w, bytes(SIZE))
        os._exit(0)
left = KIDS * TIMES * SIZE
while left:
    left -= len(os.read(r, 1 << 16))
for i in range(KIDS):
    os.wait()
END
cat >compare <<'END'
waits, want, have = {}, [], []


def kind(flags, spun):
    if flags & 6:
        return 'rw-spin' if flags & 1 else 'rw-block'
    if flags & 0x20:
        return 'adaptive-spin' if spun else 'adaptive-block'
    return 'spin-spin' if flags & 1 else 'adaptive-block' if flags & 8 else None


for line in open('seen'):
    what, *part = line.split() or ' '
    key, value, *more = tuple(part[:2]), int(part[2] if part else 0), *part[3:]
    if what == 'b' and value == 8 and \
            waits.get((key[0], '%x' % (int(key[1], 16) - 8)), (0, 0))[1] & 2:
        continue	# within a real-time kernel's wait for a lock for readers
    elif what == 'b':
        since, flags, spun = waits.get(key, (int(more[0]), value, True))
        waits[key] = since, flags, spun and value & 1
    elif what == 'e' and key in waits:
        since, flags, spun = waits.pop(key)
        name = kind(flags, spun)
        if name and value == 0:
            want.append((name, key, since, int(more[0])))
    elif part and what != 'e':
        have.append((what, key, int(more[0]), value))
want.sort()
have.sort()
print(len(want) > 0, len(want) == len(have))
for w, h in zip(want, have):
    if w[:3] != h[:3] or h[3] < w[3]:
        print(w, h)
END
"$DTRACE" -q -x bufsize=32m -s script -o seen -c "sh -c 'python3 work; python3 $HERE/hold.py tty'" >held
python3 compare
