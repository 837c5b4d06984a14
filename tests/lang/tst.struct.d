/* flags: -q */
struct point {
	int x;
	char tag;
	uint64_t y;
};
typedef struct point point_t;

BEGIN
{
	printf("%d %d %d\n", sizeof (struct point), sizeof (point_t *),
	    offsetof(struct point, y));
	exit(0);
}
