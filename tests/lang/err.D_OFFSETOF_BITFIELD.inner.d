/* A bit-field has no offset in bytes, however deep it lies. */
struct s { int a; struct { int b : 3; } in[2]; };
BEGIN { trace(offsetof(struct s, in[1].b)); }
