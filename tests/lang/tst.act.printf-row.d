/* A row ends once, whatever its text does; several actions share it. */
BEGIN { printf("one"); printf(" and %s", "two"); trace(3); }
BEGIN { printf("line\n"); }
BEGIN { printf("%d%%|%5d|%-5d|%x", 1, 2, 3, 255); exit(0); }
