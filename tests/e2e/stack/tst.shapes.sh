# Stacks followed by the runtime have as many frames as the kernel counts, and begin
# as it says, however large the frames are and wherever the stack ends; and a
# shorter one is the beginning of a longer one.
[ "$(uname -m)" = x86_64 ] || { echo "only followed on x86-64"; exit 77; }
"$DTRACE" -q -n 'syscall::getppid:entry /pid == $target/ {
	printf("all"); ustack(127); printf("few"); ustack(20);
	printf("kernel %d %A\n", ustackdepth, ucaller); }' -c "${WORKLOAD%/*}/stacks shapes" |
awk '$1 == "all" || $1 == "few" { kind = $1; n[kind] = 0; next }
	$1 == "kernel" {
		firings++
		depth[n["all"]]++
		depths += n["all"] == $2
		callers += n["all"] > 1 ? at["all", 2] == $3 : $3 ~ /^(0x)?0$/
		same = n["few"] == (n["all"] < 20 ? n["all"] : 20)
		for (i = 1; i <= n["few"]; i++)
			same = same && at["few", i] == at["all", i]
		begins += same
		next
	}
	NF { at[kind, ++n[kind]] = $1 }
	END {
		print (firings > 140), firings - depths, firings - callers, firings - begins
		# descend() calls itself, below shapes(), run(), main() and what calls that,
		# which is three more
		for (i = 0; i <= 60; i++)
			if (i < 2 || i == 4 || i == 5 || (i > 15 && i < 20) || i == 40 || i == 60)
				print i, (depth[i + 7] >= 7)
	}'
