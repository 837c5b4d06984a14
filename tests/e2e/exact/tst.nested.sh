# timeout: 60
# Samples taken in the midst of system calls' clauses, both with string keys and
# string rows: every key and every row is one that somebody made.
s=$(times 2)
cat >d <<'EOF'
string last; string at[int];
syscall::getppid:entry
/pid == $target/
{
	this->s = strjoin(probefunc, self->i++ & 1 ? "-odd" : "-even");
	last = this->s;
	at[self->i % 4] = this->s;
	@[strjoin(execname, "-call"), this->s, at[(self->i + 1) % 4]] = count();
	printf("%s %s %s %s\n", probename, this->s, execname,
	    strjoin(last, "-"));
	n++;
}
profile-4999
/pid == $target && execname == "workload"/
{
	this->s = strjoin(basename("/a/sample"), cpu & 1 ? "-odd" : "-even");
	last = this->s;
	at[cpu & 3] = this->s;
	@[strjoin(execname, "-time"), this->s, at[(cpu + 1) & 3]] = count();
	printf("%s %s %s %s\n", probename, this->s, execname,
	    strjoin(last, "-"));
	samples++;
}
tick-1s
/++seconds >= $1 && n > 1000 && samples > 100/
{
	exit(0);
}
END
{
	printf("fired %d %d\n", n > 1000, samples > 100);
}
EOF
"$DTRACE" -q -x bufsize=256k -x switchrate=1ms -s d -c "$WORKLOAD -t 4 getppid:100000000" $s >out 2>err
awk '
	BEGIN {
		any = "(getppid|sample)-(odd|even)"
		row = "^(entry getppid|profile-4999 sample)-(odd|even) workload "
		row = row any "-$"
		key = "^ *(workload-call *getppid|workload-time *sample)-(odd|even) "
		key = key "*(" any ")? *[0-9]+$"
	}
	/^fired/ { print; next }
	NF && $0 !~ row && $0 !~ key { print "wrong:", $0 }
	$0 ~ row { rows++ }
	$0 ~ key { keys++ }
	END { print (rows > 1000), (keys > 3) }' out
! grep -v "drops* on CPU" err | but_for_the_clock | grep .
