/* offsetof does not follow pointers. */
struct s { struct s *next; int a; };
BEGIN { trace(offsetof(struct s, next.a)); }
