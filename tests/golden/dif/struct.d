struct pt { int x : 4; int y : 12; char c[8]; struct { long l; } in; };
struct pt g; self struct pt s;
BEGIN { g.x = 3; g.c[2] = 1; g.in.l = g.y; self->s.y = 2; self->s.in.l++; trace(self->s.c[pid]); }
