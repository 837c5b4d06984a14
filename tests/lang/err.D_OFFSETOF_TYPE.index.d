/* Which element must be known. */
struct s { int a[3]; };
BEGIN { trace(offsetof(struct s, a[pid])); }
