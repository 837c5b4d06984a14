# The environment of the command: what is set and unset counts in order, and is
# nobody else's.
A=1 B=2 "$DTRACE" -qw -x setenv=X=a=b -x unsetenv=A -x setenv=B=3 \
	-x setenv=Y=1 -x unsetenv=Y -x setenv=E= \
	-n 'END { system("echo $A,$B,${X-none}"); }' \
	-c "$BASH -c 'echo \$X,\${A-none},\$B,\${Y-none},\${E-none}'"
for x in setenv setenv=A setenv==1 unsetenv unsetenv=A=1; do
	"$DTRACE" -x $x -en BEGIN 2>&1
done
"$DTRACE" -x errtags -en '#pragma D option setenv=A=1
BEGIN' 2>&1 | head -n 2 | grep -o '\[.*'
