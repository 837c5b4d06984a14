/* Nothing may be recorded before speculate(). */
BEGIN { s = speculation(); }
BEGIN { trace(1); speculate(s); }
