/* Wider than its type. */
struct s {
	int x:33;
};
