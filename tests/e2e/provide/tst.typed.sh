# needs: gcc python3
# args[] of a program that was built with the header of -h: its definitions travel in it.
cp "$HERE/typed.d" "$HERE/typed.c" .
"$DTRACE" -h -s typed.d && gcc -O2 typed.c -o typed || exit
rm typed.d typed.h
"$DTRACE" -qn '
jobs$target:::begin
{
	printf("%d %s next %d, %d; ", args[0]->j_id, args[0]->j_name, args[0]->j_next, args[0]->j_addr == arg0);
	printf("%d %s %d/%d %d\n", args[1]->prio, stringof(args[1]->name), args[1]->pos.x, args[1]->pos.y, args[2]);
}
jobs$target:::begin
/args[1]->next/
{
	printf("and %d %s, %d\n", args[1]->next->id, stringof(args[1]->next->name), args[1]->next->kind == KIND_WRITE);
	print(args[1]->next->pos);
}
jobs$target:::map-it { printf("%d %d %d, %d %d\n", args[0], args[1], args[2], arg0, arg1); }
jobs$target:::raw { printf("%d %d %d\n", args[0]->id, args[1], args[2]); }
jobs$target:::say { printf("%s %s %d %d\n", stringof(args[0]), stringof(args[1]), args[2][1], args[3]); }
jobs$target:::none { trace("none"); }' -c ./typed
# A type that it defines is the program's, too, whichever comes first.
"$DTRACE" -qn 'jobs$target:::raw { this->j = (struct job *)copyin(arg0, sizeof(struct job)); printf("%d %d\n", this->j->id, this->j->prio); }' -c ./typed
"$DTRACE" -qn 'jobs$target:::begin { @[args[0]->j_name] = sum(args[2]); }' -c ./typed
"$DTRACE" -lvn 'jobs$target:::' -c ./typed | grep -E '^ *[0-9]+ |args|Names|None' | sed 's/jobs[0-9]*/jobsPID/g; s/^ *[0-9][0-9]* *//; s/^[[:space:]]*//'
"$DTRACE" -xerrtags -qn 'jobs$target:::map-it { trace(args[3]); }' -c ./typed 2>&1 | sed -n 's/.*\(\[D_[A-Z_]*\].*\) for jobs[0-9]*/\1/p'
# Put other words of the same length into the note.
change() {
	python3 - "$1" "$2" <<'END'
import sys
old, new = (a.encode() for a in sys.argv[1:])
data = open('typed', 'rb').read()
assert data.count(old) == 1 and len(new) <= len(old)
open('odd', 'wb').write(data.replace(old, new.ljust(len(old))))
END
	chmod +x odd
}
# One that is not understood, and says so.
change 'struct job{' 'strukt job{'
"$DTRACE" -qn 'jobs$target:::map-it { printf("%d %d\n", args[0], args[1]); }' -c ./odd 2>&1 | sed 's/"[^"]*odd"/"odd"/'
# Options are the user's own matter, and a library has no clauses.
change '#pragma D attributes Stable/Stable/ISA provider jobs name' '#pragma D option destructive'
"$DTRACE" -qn 'jobs$target:::none { system("echo no"); }' -c ./odd 2>&1 | tail -1
change '#pragma D attributes Stable/Stable/ISA provider jobs name' 'BEGIN{trace(1);exit(0)}'
"$DTRACE" -qn 'jobs$target:::map-it { printf("%d %d\n", args[0], args[1]); }' -c ./odd 2>&1 | sed 's/"[^"]*odd"/"odd"/'
