/* No such type. */
struct s {
	no_such_type_t a;
};
