/* D has no static. */
static int x;
