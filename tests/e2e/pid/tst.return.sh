# Where functions return, and what; one that ends by a jump to another returns where
# it jumps.
called=$(dirname "$WORKLOAD")/called
"$DTRACE" -qn 'pid$target:a.out:either:entry { self->n = arg0; }
	pid$target:a.out:either:return { printf("either(%d) %d\n", self->n, (int)arg1); }
	pid$target:a.out:leaf:return { printf("leaf %d\n", arg1); }
	pid$target:a.out:tail:entry { printf("tail\n"); }
	pid$target:a.out:tail:return { printf("tail ends\n"); }' \
	-c "$called either:3 tail:1 leaf:1"
# Each way out is told; recursion is balanced.
"$DTRACE" -qn 'pid$target:a.out:either:return { @[arg1 == -1] = count(); }
	pid$target:a.out:recursive:entry { @in = count(); }
	pid$target:a.out:recursive:return { @out = count(); @values[arg1] = count(); }
	END { printa("%d %@d\n", @); printa("in %@d\n", @in); printa("out %@d\n", @out);
	      printa("%d %@d\n", @values); }' -c "$called either:10 recursive:5"
"$DTRACE" -qn 'pid$target:a.out:either:return { printf("%x\n", arg0); }' \
	-c "$called either:2" | grep . >at
sort -u at | wc -l
nm "$called" | awk '$3 == "either" { print "0x" $1 }' >start
while read -r at; do
	printf '%x:\n' $((0x$at + $(cat start)))
done <at | while read -r addr; do
	objdump -d --disassemble=either "$called" | grep -c " *$addr.*ret"
done
# A function of one instruction has been entered before it returns.
"$DTRACE" -qn 'pid$target:a.out:bare:entry { printf("bare\n"); }
	pid$target:a.out:bare:return { printf("bare ends\n"); }' -c "$called bare:2"
# By the return address; a C program does not notice.
"$DTRACE" -xpidreturn=uretprobe -qn 'pid$target:a.out:either:return { @[arg0, (int)arg1] = count(); }
	pid$target:a.out:recursive:return { @out = count(); }
	END { printa("%d %d %@d\n", @); printa("out %@d\n", @out); }' -c "$called either:4 recursive:5"
