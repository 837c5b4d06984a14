# needs: rustc
# timeout: 60
# Stacks of Rust: closures, dyn, generics, panics, threads; as its own runtime finds them.
[ "$(uname -m)" = x86_64 ] || { echo "only followed on x86-64"; exit 77; }
for how in -O '-C opt-level=0' '-O -C target-feature=+crt-static' '-O -C lto -C strip=symbols'; do
	rustc $how "$HERE/unwound.rs" -o unwound 2>log || { cat log; exit 77; }
	rm -f traced
	"$DTRACE" -q -x ustackframes=100 -x noresolve -o traced -n '
		syscall::getppid:entry /pid == $target/ {
			printf("stack"); ustack(); printf("\n"); }' -c ./unwound >told || exit 1
	python3 "$HERE/unwound.py" "$how" told traced || exit 1
done
