/* The first exit counts, its clause ends as usual, and END comes. */
/* flags: -q
 * status: 5 */
BEGIN { exit(5); printf("behind\n"); }
BEGIN { printf("next\n"); exit(6); }
END { printf("end\n"); exit(7); }
