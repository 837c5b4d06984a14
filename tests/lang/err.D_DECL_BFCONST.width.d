/* A width is constant. */
struct s {
	int x:pid;
};
