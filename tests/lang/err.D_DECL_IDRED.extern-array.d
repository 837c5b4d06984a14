/* An array declared extern is an array elsewhere, too. */
int a;
extern int a[];
