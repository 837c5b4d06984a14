/* Nothing is aggregated behind commit(). */
BEGIN { commit(1); @ = sum(1); }
