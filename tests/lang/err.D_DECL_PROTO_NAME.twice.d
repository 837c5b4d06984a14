/* Two parameters of one name. */
struct s {
	int (*f)(int a, int a);
};
