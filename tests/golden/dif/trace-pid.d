BEGIN { trace(pid); }
