BEGIN
{
	if (pid == 1) {
		x = 1;
		exit(x);
	} else if (uid)
		@["other"] = lquantize(arg0, 0, 100, 10);
	else {
		@["root"] = lquantize(arg0, 0, 100, 10);
	}
	y = x > 0 && x < 5 ? (char)300 : sizeof (long);
}
