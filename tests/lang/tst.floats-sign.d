/* flags: -q */
/* A floating-point constant may have a sign. */
BEGIN
{
	printf("%f %g %.1f %e\n", -1.5, -2.25f, +3.5, - -1.5);
	printf("%.3Lf %+.1f\n", -0.0625L, -(2.5));
	trace(-1.5);
	trace(" ");
	trace(-0.1L);
	trace("\n");
	exit(0);
}
