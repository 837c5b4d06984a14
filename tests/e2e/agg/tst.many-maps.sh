# The kernel lets a program use 64 maps: clauses that use more together are
# divided among programs, and one that does so alone is refused.
{ for ((i = 0; i < 64; i++)); do
	echo "BEGIN { @a$i[$i] = count(); v$i[$i] = $i; total += v$i[$i]; }"
  done
  echo 'BEGIN { @a0[0] = count(); printf("%d\n", total); exit(0); }'; } > many.d
timeout 60 "$DTRACE" -qs many.d | awk 'NF == 1; NF == 2 { n += $2 } END { print n }'
{ echo 'BEGIN {'; for ((i = 0; i < 64; i++)); do echo "v$i[$i] = 1;"; done
  echo '}'; } | timeout 60 "$DTRACE" -qs - 2>&1 |
	sed -n 's/.*\(a clause of BEGIN has .*\) take.*\(: split.*\)/\1\2/p'
