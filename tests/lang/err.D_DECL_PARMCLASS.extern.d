/* A parameter has no storage class. */
struct s {
	int (*f)(extern int);
};
