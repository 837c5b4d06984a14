/* flags: -q
 * A variable may be given its type in an arm that does not run. */
BEGIN { x = pid ? 5 : 6; s = x == 5 ? "five" : "six"; }
BEGIN { if (x == 6) y = "text"; }
BEGIN { printf("%d %s [%s]\n", x, s, y); exit(0); }
