/* The clause of an exit ends as usual, no further clause of the firing runs, and
 * END comes; the last exit gives the status. */
/* flags: -q
 * status: 7 */
BEGIN { exit(5); printf("behind\n"); }
BEGIN { printf("next\n"); exit(6); }
END { printf("end\n"); exit(9); exit(7); }
END { printf("never\n"); }
