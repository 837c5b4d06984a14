/* A variable has one type. */
int x;
long x;
