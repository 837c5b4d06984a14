/* The form may change from one printa() to the next. */
/* flags: -q */
BEGIN
{
	@q[1] = quantize(1);
	@c[1] = count();
	printa(@c);
	setopt("agghist");
	printa(@c);
	setopt("agghist", "no");
	printa(@c);
	setopt("aggpack");
	printa(@q);
	exit(0);
}
