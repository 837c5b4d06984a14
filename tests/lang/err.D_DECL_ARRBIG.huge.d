/* An array has at most 2^31 - 1 elements. */
int a[0x7fffffffffff];
