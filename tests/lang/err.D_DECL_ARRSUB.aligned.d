/* An alignment is a power of two. */
struct s { int a; } __attribute__((aligned(12)));
