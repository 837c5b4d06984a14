/* flags: -q -x bufpolicy=fill
 * status: 3
 * What fits is as it is otherwise. */
BEGIN { printf("one\n"); }
BEGIN { printf("two\n"); exit(3); }
END { printf("end\n"); }
