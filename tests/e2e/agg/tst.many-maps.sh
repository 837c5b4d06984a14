# timeout: 120
# The kernel lets a program use 64 maps.  With more aggregations and arrays than
# that some share one, whether clauses have them together or one by one.
{ for ((i = 0; i < 64; i++)); do
	echo "BEGIN { @a$i[$i] = count(); v$i[$i] = $i; total += v$i[$i]; }"
  done
  echo 'BEGIN { @a0[0] = count(); printf("%d\n", total); exit(0); }'; } > many.d
timeout 60 "$DTRACE" -x unwindsize=0 -qs many.d | awk 'NF == 1; NF == 2 { n += $2 } END { print n }'

# 500 aggregations with keys and 200 tables in one clause, used by two threads.
# Keys and values are of many shapes, and each holds a number of its own, so it
# would be seen if one got what is another's.
calls=200
keys=('K' 'K, "a string"' '"short", K, K' 'K, execname, probefunc' '(char)K' 'K, ustack(40)')
funcs=('count()' 'sum(I)' 'max(I)' 'avg(I)' 'stddev(I)' 'quantize(I)' 'lquantize(I, 0, 600, 1)')
table() {	# NUMBER: sets name, key, value, none
	name=t$1 key=${keys[$1 / 4 % 5]//K/$(($1 % 3))} none=0
	[ $(($1 / 2 % 2)) = 1 ] && name="self->$name"
	[ $(($1 % 2)) = 0 ] && value=$(($1 % 100 + 1)) || { value="\"$1\"" none=NULL; }
	other=${keys[$1 / 4 % 5]//K/5}
}
{ echo 'syscall::getppid:entry /pid == $target/ {'
  for ((i = 0; i < 500; i++)); do
	key=${keys[i % 6]} func=${funcs[i / 6 % 7]}
	echo "@a$i[${key//K/$((i % 100))}] = ${func//I/$i};"
  done
  for ((i = 0; i < 200; i++)); do
	table $i
	echo "$name[$key] = $value;"
  done
  for ((i = 0; i < 200; i++)); do
	table $i
	echo "@bad = sum($name[$key] != $value || $name[$other] != $none);"
  done
  echo '} END { printa("bad %@d\n", @bad);'
  for ((i = 0; i < 500; i++)); do
	case $((i % 10)) in
	3) echo "clear(@a$i);";;
	4) echo "trunc(@a$i);";;
	6) echo "normalize(@a$i, 2);";;
	esac
	echo "printf(\"= $i\n\"); printa(\"> %@d\n\", @a$i);"
  done
  echo '}'; } >all.d
"$DTRACE" -x unwindsize=0 -q -x strsize=40 -s all.d -c "$WORKLOAD -t 2 getppid:$calls" >out
awk -v n=$((2 * calls)) '
	function check() {
		f = int(i / 6) % 7
		want = i
		if (f == 0 || f > 4) want = n
		if (f == 1) want = n * i
		if (f == 4) want = 0
		if (i % 10 == 3) want = 0
		if (i % 10 == 4) want = "none"
		if (i % 10 == 6) want = int(want / 2)
		if (got != want) print i, "is", got, "not", want
		seen++
	}
	/^bad/ { print; next }
	/^=/ { if (i != "") check(); i = $2; got = "none"; next }
	NF && $1 != "value" && got == "none" { got = 0 }
	NF && $1 != "value" && $NF != ">" { got += $NF }
	END { check(); print seen }' out
