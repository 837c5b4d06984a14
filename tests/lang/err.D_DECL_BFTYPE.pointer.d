/* A bit-field is an integer. */
struct s {
	int *x:3;
};
