/* There is no unsigned void. */
unsigned void *x;
