#pragma D option quiet

/* A string has bytes, up to strsize: those of a variable can be written, too. */
BEGIN
{
	s = "hello";
	printf("%c%c %d %d\n", s[0], s[4], s[5], s[255]);
	printf("%c%c\n", execname[0], "abc"[2]);
	this->s = "xyz";
	this->s[0] = 'A';
	this->s[3] = '!';
	printf("%s %c\n", this->s, this->s[2]);
	s[0] = 'J';
	self->t = s;
	self->t[4] = 'y';
	m["k"] = self->t;
	m["k"][1]++;
	printf("%s %s %s\n", s, self->t, m["k"]);
	for (i = 0; s[i] != 0; i++)
		;
	printf("%d %d\n", i, strlen(s));
}

/* A number as text, from its end. */
BEGIN
{
	this->digits = "";
	this->n = 90210;
	for (i = 7; i >= 0; i--) {
		this->digits[i] = '0' + this->n % 10;
		this->n /= 10;
	}
	printf("%s\n", this->digits);
}
BEGIN { i = 256; printf("%d\n", s[i]); }
BEGIN { i = -1; s[i] = 'a'; printf("%s\n", s); }
BEGIN { exit(0); }
