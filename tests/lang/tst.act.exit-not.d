/* An exit that is not reached ends nothing. */
/* flags: -q */
BEGIN /n/ { exit(1); }
BEGIN { n ? exit(2) : 1; n = 1; }
BEGIN { printf("%d\n", n); exit(0); }
