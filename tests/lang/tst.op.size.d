/* flags: -q */
/* sizeof, offsetof, casts. */
struct pair { char c; int i; short s[3]; };
struct pair p;

BEGIN
{
	printf("%d %d %d %d\n", sizeof (char), sizeof (short), sizeof (int),
	    sizeof (long));
	printf("%d %d %d\n", sizeof (void *), sizeof (struct pair),
	    sizeof p.s);
	printf("%d %d\n", offsetof(struct pair, i), offsetof(struct pair, s));
	printf("%d %d %d\n", sizeof (1L), sizeof ('a'), sizeof (1 == 1));
	printf("%d %d %u\n", (char)300, (int8_t)0x80, (unsigned short)-1);
	printf("%d\n", (int)(char *)42);
	exit(0);
}
