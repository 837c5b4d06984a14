# needs: script
# What is traced cannot control a terminal, though what the program says itself can;
# in files and pipes bytes are as they are.
evil=$'a\e[31mb\x7f\xc2\x9b\xc3\xa9\xff\tz'
prog='#pragma D option quiet
BEGIN {
	printf("\033[1m%s|%c|%-12s|\n", $$1, 27, "\033[");
	trace($$1);
	@["\033k"] = count();
	printa(@);
	printf("\n");
	exit(0);
}'
echo "$prog" >x.d
on_terminal() {	# COMMAND: with its output on a terminal, which is told without \r
	script -qec "$1" /dev/null </dev/null | tr -d '\r' | cat -v
}
export evil
on_terminal '"$DTRACE" -s x.d "$evil"'
"$DTRACE" -s x.d "$evil" | cat -v
on_terminal '"$DTRACE" -x oformat=folded -s x.d "$evil"'
# What complains goes to a terminal, too: its excerpt has the text in it.
printf 'BEGIN { \033]0;title\007 }' >bad.d
on_terminal '"$DTRACE" -es bad.d'
"$DTRACE" -es bad.d 2>&1 | cat -v
