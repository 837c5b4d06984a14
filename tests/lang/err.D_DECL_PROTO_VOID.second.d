/* Void must be alone. */
provider p {
	probe x(int, void);
};
