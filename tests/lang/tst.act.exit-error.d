/* exit() in ERROR ends the firing in which the fault was, too. */
/* flags: -q
 * status: 3 */
BEGIN { printf("before\n"); }
BEGIN { trace(*(int *)0); }
BEGIN { printf("never\n"); }
ERROR { printf("error\n"); exit(3); }
ERROR { printf("never\n"); }
END { printf("end\n"); }
