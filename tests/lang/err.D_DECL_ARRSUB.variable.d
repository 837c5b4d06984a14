/* A size is constant. */
int a[pid];
