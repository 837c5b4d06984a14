/* A member has no scope. */
struct s {
	self int x;
};
