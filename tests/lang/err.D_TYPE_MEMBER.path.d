/* Each part of the way is a member. */
struct s { int a; struct { int b; } in; };
BEGIN { trace(offsetof(struct s, in.c)); }
