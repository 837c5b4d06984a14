/* Floating-point constants are traced and printed. */
/* flags: -q */
BEGIN
{
	printf("%f %g\n", 1.5, 2.25f);
	printf("%e %E %G %.3Lf %.1f\n", 1.5, 2.5L, 1e10, 0.0625L, .25);
	printf("[%8.2f|%-8.1f|%*.*f|%+g]\n", 1.5, 2.5, 9, 3, 3.14159, 5.);
	trace(1.5);
	trace(" ");
	trace(2.25f);
	trace(" ");
	trace(0.1L);
	trace(" ");
	trace((1, 0.1));
	trace("\n");
	exit(0);
}
