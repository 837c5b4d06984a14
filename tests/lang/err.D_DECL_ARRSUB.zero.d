/* A size is positive. */
int a[0];
