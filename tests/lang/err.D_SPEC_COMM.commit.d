/* Nothing is speculated behind commit(). */
BEGIN { commit(1); speculate(1); }
