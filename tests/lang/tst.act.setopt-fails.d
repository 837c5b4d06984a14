/* Options that are none, cannot change now, or cannot have this value: each is
 * told, and tracing goes on. */
/* flags: -q */
BEGIN { setopt("qiuet"); printf("1\n"); }
BEGIN { setopt("bufsize", "1m"); printf("2\n"); }
BEGIN { setopt("switchrate", "fast"); printf("3\n"); }
BEGIN { setopt("amin", "Evolving"); printf("4\n"); exit(0); }
