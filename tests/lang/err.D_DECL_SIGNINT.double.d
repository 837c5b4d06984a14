/* There is no unsigned double. */
unsigned double x;
