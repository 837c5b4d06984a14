/* flags: -q -x strsize=8
 * Strings are copied, and cut to strsize with their end; unset they are
 * empty. */
string s, t;
BEGIN { printf("[%s]\n", s); s = "short"; t = s; s = "a longer one"; }
BEGIN { printf("[%s] [%s] %d\n", s, t, s == "a longe"); exit(0); }
