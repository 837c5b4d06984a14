# Where a clause speculates, each turn of a loop makes a row of its own: there is
# room for all, also when nothing but BEGIN fires.
"$DTRACE" -q -n 'BEGIN { for (int i = 0; i < 4000; i++) printf("%d\n", i);
	discard(speculation()); } BEGIN { exit(0); }' | awk 'NF' | awk '
	$1 != NR - 1 { print "not in order:", $0 }
	END { print NR }'
