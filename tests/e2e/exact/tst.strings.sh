# timeout: 30
# Four threads store strings of their own into one global, into elements that
# come and go, and into one that stays.  What is read was stored, whole.
n=$(times 100000)
cat >d <<'EOF'
string whole; string there[int]; string passing[int]; int i;
syscall::getppid:entry
/pid == $target/
{
	this->mine = tid % 4 == 0 ? "0000000000000000000000000000000000000000" :
		     tid % 4 == 1 ? "1111111111111111111111111111111111111111" :
		     tid % 4 == 2 ? "2222222222222222222222222222222222222222" :
				    "3333333333333333333333333333333333333333";
	whole = this->mine;
	@["whole", whole] = count();
	there[1] = this->mine;
	@["there", there[1]] = count();
	passing[i % 3] = this->mine;
	@["passing", passing[(i + 1) % 3]] = count();
	passing[(i + 2) % 3] = NULL;
	i++;
}
syscall::getppid:return
/pid == $target/
{
	@["whole", whole] = count();
	@["there", there[1]] = count();
}
EOF
"$DTRACE" -q -s d -c "$WORKLOAD -t 4 getppid:$n" >out
awk -v n=$n '
	NF < 2 { next }
	{ seen[$1] += $NF; rest = NF == 3 ? $2 : ""; bad = length(rest) != 40 }
	{ gsub(substr(rest, 1, 1), "", rest) }
	rest != "" || bad && !(NF == 2 && $1 == "passing") { print "torn:", $0 }
	END { print seen["whole"] / n, seen["there"] / n, seen["passing"] / n }' out
