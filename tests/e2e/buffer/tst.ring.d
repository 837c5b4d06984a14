/* flags: -q -x bufpolicy=ring
 * status: 4
 * What fits is shown whole, when all is over. */
BEGIN { printf("one\n"); }
BEGIN { printf("two\n"); }
BEGIN { @ = count(); printa("%@d\n", @); exit(4); }
END { @ = count(); printf("end\n"); }
