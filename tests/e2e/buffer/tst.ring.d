/* flags: -q -x bufpolicy=ring
 * status: 4
 * What fits is shown whole, when all is over. */
BEGIN { printf("one\n"); }
BEGIN { printf("two\n"); exit(4); }
BEGIN { @ = count(); printa("%@d\n", @); }
END { @ = count(); printf("end\n"); }
