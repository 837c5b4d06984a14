/* Nothing is recorded behind commit(). */
BEGIN { commit(1); exit(0); }
