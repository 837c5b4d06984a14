/* flags: -q
 * There is one speculation unless nspec says otherwise, and it is in use. */
BEGIN { a = speculation(); b = speculation(); c = speculation(); }
BEGIN { printf("%d %d %d\n", a, b, c); exit(0); }
