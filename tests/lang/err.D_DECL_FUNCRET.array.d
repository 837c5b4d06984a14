/* A function cannot return an array. */
struct s {
	int (*f(int))(int)[3];
};
