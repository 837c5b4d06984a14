# A name that another begins with is another name, whichever is set or unset.
AB=1 A=2 ABC=3 "$DTRACE" -q -x setenv=A=x -x unsetenv=AB -x setenv=ABCD=4 \
	-x unsetenv=ABCDE -n 'BEGIN {}' -c \
	"$BASH -c 'echo \${A-none},\${AB-none},\${ABC-none},\${ABCD-none}'"
A=1 AB=2 "$DTRACE" -q -x setenv=AB=y -n 'BEGIN {}' \
	-c "$BASH -c 'echo \${A-none},\${AB-none}'"
