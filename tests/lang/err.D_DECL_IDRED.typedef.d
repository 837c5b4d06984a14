/* Variables and types share their names. */
int x;
typedef int x;
