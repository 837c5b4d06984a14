/* A tag is of one kind. */
struct s {
	int a;
};
union s *p;
