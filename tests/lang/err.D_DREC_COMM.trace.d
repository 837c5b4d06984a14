/* Nothing is recorded behind commit(). */
BEGIN { commit(1); trace(1); }
