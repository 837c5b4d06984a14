/* What is not there cannot be shown; the row is lost, the rest goes on. */
/* flags: -q */
BEGIN { printf("lost\n"); tracemem(8, 16); }
BEGIN { printf("lost\n"); tracemem(16, 16, 1); }
BEGIN { printf("kept\n"); exit(0); }
