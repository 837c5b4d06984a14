# timeout: 120
# Rows faster than they can be read: on each CPU, what came and what was dropped
# is what fired, and what came is whole.  Small rows and large ones go to the
# ring in different ways.
n=$(times 200000)
text=0123456789012345678901234567890123456789
check() {	# BUFSIZE RATE [MORE-FORMAT MORE-TO-PRINT]
	cat >d <<EOF
string text;
BEGIN { text = "$text" }
syscall::getppid:entry /pid == \$target/ { @[cpu] = count(); }
syscall::getppid:entry
/pid == \$target/
{
	this->a = timestamp & 0xffffff;
	this->b = self->i++;
	printf("row %d %d %d %d %s$3\n", cpu, this->a, this->b,
	    this->a * 31 + this->b * 7 + cpu, this->b % 2 ? "odd" : "even"$4);
}
END { printa("fired %d %@d\n", @); }
EOF
	"$DTRACE" -q -x bufsize=$1 -x switchrate=$2 -s d \
		-c "$WORKLOAD -t 4 getppid:$n" >out 2>err
	awk -v n=$n -v text=$text '
		$1 == "row" {
			got[$2]++; rows++
			if ($5 != $3 * 31 + $4 * 7 + $2 ||
			    $6 != ($4 % 2 ? "odd" : "even") ||
			    NF > 6 && (NF != 8 || $7 != text || $8 != text))
				print "torn:", $0
		}
		$1 == "fired" { fired[$2] = $3; all += $3 }
		/drops? on CPU/ { got[$6] += $2; drops += $2 }
		END {
			for (cpu in fired)
				if (fired[cpu] != got[cpu])
					print "CPU", cpu, fired[cpu], got[cpu]
			print all / n, (rows + drops) / n, (rows > 0), (drops > 0)
		}' out err
	! grep -v 'drops* on CPU' err
}
check 16k 10ms
check 4k 1s
check 64k 1ms ' %s %s' ', text, text'
