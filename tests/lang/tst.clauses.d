/* Clauses of one probe run in the order of the program. */
/* flags: -q */
BEGIN { trace("a"); }
dtrace:::BEGIN, END { trace("b"); }
BEGI* { trace("c"); }
:::BEGIN { trace("d\n"); }
BEGIN { exit(0); }
