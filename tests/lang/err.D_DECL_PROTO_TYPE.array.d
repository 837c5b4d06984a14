/* An array is no key. */
int a[int [3]];
