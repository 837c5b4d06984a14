# A flight recorder: of each CPU the newest records, whole and without gaps, as
# many as fit, whatever their size.  Probes nest: profile interrupts the calls (and
# is silent where a CPU does something else, for as long as that may take).
check() {	# TEXT-SIZE
	cat >d <<EOD
#pragma D option strsize=$1
string text;
int64_t seq[1024];
BEGIN { text = "0123456789"; }
profile-499 /pid == \$target/ { printf("p\n"); }
syscall::getppid:entry
/pid == \$target/
{
	this->n = ++seq[cpu];
	@last[cpu] = max(this->n);
	printf("row %d %d %d %s\n", cpu, this->n, this->n * 7 + cpu, text);
}
END { printa("last %d %@d\n", @last); }
EOD
	"$DTRACE" -q -x bufpolicy=ring -x bufsize=16k -s d \
		-c "$WORKLOAD -t 4 getppid:4000" >out 2>err
	but_for_the_clock <err >&2
	awk '
	$1 == "row" {
		if (NF != 5 || $4 != $3 * 7 + $2 || $5 != "0123456789" ||
		    ($2 in seq && $3 != seq[$2] + 1))
			print "wrong:", $0, seq[$2]
		seq[$2] = $3; n[$2]++
	}
	$1 == "last" { all += $3; if (seq[$2] != $3) print "end:", $0, seq[$2] }
	END {
		# END takes a place, and the interrupts some
		for (c in n)
			if (n[c] > 16384 / ('$1' + 48) ||
			    n[c] < 16384 / ('$1' + 48) - 60)
				print "CPU", c, n[c]
		print all
	}' out
}
check 16
check 200
check 1000
