/* What is no signal. */
/* flags: -qw */
BEGIN { raise(0); }
BEGIN { raise(65); }
BEGIN { raise(-1); }
BEGIN { exit(0); }
