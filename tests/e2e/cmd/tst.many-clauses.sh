# More clauses than one program of the kernel takes: what they share stays.
many() {
	for ((i = 0; i < $1; i++)); do
		echo "$2 { x$3$i = $i; this->sum += $i; }"
	done
}
for n in 190 300 1000; do
	{ many $n BEGIN; echo 'BEGIN { trace(this->sum + x7); exit(0); }'; } |
		timeout 60 "$DTRACE" -qs -
done
# On each CPU, and called as functions since ERROR has a clause; a fault ends
# its clause alone.
{ many 300 BEGIN; echo 'BEGIN { trace(*(int *)8); } ERROR { trace(arg5); }'
  many 300 BEGIN y
  echo 'BEGIN { printf(" %d", this->sum); exit(0); }'; } > fault.d
for cpu in $(seq 0 $(($(nproc) - 1))); do
	taskset -c $cpu timeout 60 "$DTRACE" -qs fault.d 2>err
	grep -c 'invalid address (0x8) in action #1' err
done | sort -u
many 7000 BEGIN | timeout 60 "$DTRACE" -qs - 2>err ||
	grep -o 'the 7000 clauses of .*' err
