# A type that nobody knows is told once for a program, though macros name it in each line; and
# again for the next program.
"$DTRACE" -en 'BEGIN { trace(((nosuch_t *)1)->a); trace(((nosuch_t *)2)->b); }
	END { trace(((struct nosuch *)1)->a); trace(((struct nosuch *)2)->b); this->x = (nosuch_t *)3;
	trace(((other_t *)1)->a); }' 2>&1 | grep -o 'unknown type: .*\|the members of .*'
"$DTRACE" -n 'BEGIN { trace(((nosuch_t *)1)->a); }' 2>&1 | grep -o 'unknown type: .*'
"$DTRACE" -en 'typedef int nosuch_t; BEGIN { trace((nosuch_t)1); }'
