# needs: go
# timeout: 60
# Stacks of Go.  Its own runtime leaves out what the compiler has put between: two functions
# at most; and the call itself is three.
[ "$(uname -m)" = x86_64 ] || { echo "only followed on x86-64"; exit 77; }
cp "$HERE/unwound.go" .
for how in -gcflags= -gcflags=-l '-gcflags=-N -l'; do
	GOCACHE=$PWD/cache GO111MODULE=off go build "$how" -o unwound unwound.go || exit 77
	rm -f traced
	"$DTRACE" -q -x ustackframes=100 -x noresolve -o traced -n '
		syscall::getppid:entry /pid == $target/ {
			printf("stack"); ustack(); printf("\n"); }' -c ./unwound >told || exit 1
	python3 - "$how" <<'END' || exit 1
import re, sys
want = [line.split() for line in open('told')]
got = [re.findall(r'0x([0-9a-f]+)', t) for t in open('traced').read().split('stack')[1:]]
good = 0
for (name, *told), frames in zip(want, got):
    rest = iter(frames)
    inlined = sys.argv[1] == '-gcflags='
    same = inlined or (all(pc in rest for pc in told) and len(frames) - len(told) <= 5)
    if same and frames[-1] == told[-1]:
        good += 1
    else:
        print(name, frames, 'not', told)
print(sys.argv[1], good, 'of', len(want), len(got))
END
done
