/* One translator for one input. */
struct out {
	int a;
	int b;
};

translator struct out < int i > {
	a = i;
};

translator struct out < int j > {
	a = j;
};
