/* A module's types are the module's to define. */
struct foo`bar {
	int a;
};
