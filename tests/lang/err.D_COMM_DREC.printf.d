/* Nothing may be recorded before commit(). */
BEGIN { printf("x"); commit(1); }
