/* flags: -q */
/* A turn gives back the scratch it used. */
BEGIN
{
	s = "";
	for (i = 0; i < 1000; i++) {
		s = strjoin(lltostr(i), strjoin("/", substr(s, 0, 3)));
		while (index(s, "777") > 0 && strlen(strjoin(s, "x")) > 3)
			s = substr(s, 1);
	}
	printf("%s\n", s);
	exit(0);
}
