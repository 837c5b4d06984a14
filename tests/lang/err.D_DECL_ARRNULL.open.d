/* An array needs a size. */
int a[];
