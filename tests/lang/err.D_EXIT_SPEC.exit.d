/* Tracing cannot end on speculation. */
BEGIN { speculate(1); exit(0); }
