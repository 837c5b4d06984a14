/* One storage class at most. */
extern static int x;
