# timeout: 40
# Six threads on all CPUs add to the same globals and elements: nothing is lost.
n=$(times 50000)
cat >d <<'EOF'
int i; uint32_t u; int e[string]; char c8; uint16_t c16; uint8_t t8[int];
syscall::getppid:entry
/pid == $target/
{
	n++;
	n += 2;
	i -= 3;
	++u;
	c[1]++;
	c[2] += arg0 * 0 + 5;
	e["key"]++;
	for (this->k = 0; this->k < 2; this->k++)
		loops++;
	c8++;
	c16 -= 3;
	t8[1]++;
	t8[2] += 5;
	@old = sum(took++);
	@new = sum(gave += 2);
	@key = sum(k[1]++);
	@odd = sum(--down & 1);
	@ = count();
}
END
{
	printf("%d %d %d %d small\n", c8, c16, t8[1], t8[2]);
	printa("%@d %@d %@d %@d used\n", @old, @new, @key, @odd);
	printf("%d %d %d %d %d %d %d\n", n, i, u, c[1], c[2], e["key"], loops);
	printa("%@d\n", @);
}
EOF
"$DTRACE" -q -s d -c "$WORKLOAD -t 6 getppid:$n" >out
awk -v n=$((6 * n)) 'NF == 7 { for (i = 1; i <= NF; i++) printf "%d ", $i / n }
	NF == 1 { print $1 / n }
	/small/ { print ($1 + 256) % 256 == n % 256, $2 == 65536 - (3 * n) % 65536,
		$3 == n % 256, $4 == 5 * n % 256 }
	/used/ { print $1 == n * (n - 1) / 2, $2 == n * (n + 1),
		$3 == n * (n - 1) / 2, $4 == n / 2 }' out
# So many tables that those of one shape share a map, of 4 and of 8 bytes.
python3 - >d <<'EOF'
n = 80
for i in range(n):
    print(f'int a{i}[int]; int64_t b{i}[int];')
for i in range(n):
    print(f'BEGIN {{ a{i}[7] += 0x7fffffff; b{i}[7] += 0x7fffffff; }}')
    print(f'BEGIN {{ a{i}[7]++; b{i}[7]++; a{i}[8] += {i}; }}')
    print(f'BEGIN {{ printf("%d %d %d\\n", a{i}[7], b{i}[7], a{i}[8] - {i}); }}')
print('BEGIN { exit(0); }')
EOF
"$DTRACE" -q -x dynvarsize=8m -s d | grep . | sort | uniq -c
