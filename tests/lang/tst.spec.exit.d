/* flags: -q
 * exit() does not commit what is still speculated; END may. */
#pragma D option nspec=2
BEGIN { a = speculation(); b = speculation(); }
BEGIN { speculate(a); printf("lost\n"); }
BEGIN { speculate(b); printf("kept for END\n"); }
BEGIN { exit(0); }
END { commit(b); }
END { printf("the end\n"); }
