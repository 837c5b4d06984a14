/* flags: -q
 * Variables of structures: member by member, and as a whole. */
struct inner { char tag; int64_t v; };
struct outer { int a; struct inner in; char text[8]; };
struct outer g, h;
self struct inner s;
this struct inner t;
BEGIN { g.a = 1; g.in.tag = 'x'; g.in.v = -5; h = g; g.a = 2; }
BEGIN { printf("%d %c %d | %d %c %d\n", g.a, g.in.tag, g.in.v, h.a, h.in.tag,
	h.in.v); }
BEGIN { this->t.v = 6; this->t.tag = 't'; self->s = this->t; }
BEGIN { printf("%d %c\n", self->s.v, self->s.tag); exit(0); }
