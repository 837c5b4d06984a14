/* flags: -q -x nspec=2
 * Ids that no speculation can have are an illegal operation, fault 3. */
BEGIN { speculate(3); printf("not run\n"); }
BEGIN { commit(-1); }
BEGIN { discard(1000000); }
BEGIN { speculate(2); printf("nowhere, but not wrong\n"); }
BEGIN { exit(0); }
ERROR { printf("action %d fault %d\n", arg2, arg4); }
