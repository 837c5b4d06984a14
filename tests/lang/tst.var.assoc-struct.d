/* flags: -q
 * An array of structures. */
struct point { int x; int y; };
struct point a[string];
struct point p;
BEGIN { p.x = 1; p.y = 2; a["one"] = p; p.x = 3; a["two"] = p; }
BEGIN { printf("%d %d %d %d\n", a["one"].x, a["one"].y, a["two"].x, a["two"].y); }
BEGIN { a["one"].y = 9; p = a["one"]; }
BEGIN { printf("%d %d %d\n", p.x, p.y, a["three"].x); exit(0); }
