/* No register holds one. */
long double x;
