#pragma D option quiet

/* *s is the first byte of a string, which may be written where s is a variable; as a
 * number a string says whether there is one. */
BEGIN
{
	g = "hello";
	self->path = "/etc";
	of["a"] = "yes";
	printf("%c %c %c %c\n", *g, *self->path, *of["a"], *"lit");
	printf("%s\n", *self->path == '/' ? "whole" : "not whole");
	*g = 'J';
	(*of["a"])++;
	printf("%s %s %d\n", g, of["a"], sizeof(*g));
	printf("%d %d %d %d\n", (int)g, (int)of["b"], (int)"", (long)"x");
	of["b"] = (int)of["b"] == 0 ? "new" : of["b"];
	self->path = 0;
	printf("%s %d %d\n", of["b"], *self->path, (int)self->path);
	exit(0);
}
