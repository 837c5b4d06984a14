/* sym() and mod() name an address; so does func(), which is sym().  What is no
 * address of the kernel stays a number. */
BEGIN { sym(1); }
BEGIN { mod(0x2a); }
BEGIN { func(caller); }
BEGIN { mod(caller); exit(0); }
