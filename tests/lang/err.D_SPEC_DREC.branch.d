/* Nothing may be recorded before speculate(). */
BEGIN { if (pid) { trace(1); speculate(1); } }
