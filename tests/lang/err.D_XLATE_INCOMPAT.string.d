/* A is an int. */
struct out {
	int a;
};

translator struct out < int i > {
	a = "x";
};
