/* Bit-fields: read with their sign, cut when stored, beside each other. */
#pragma D option quiet

struct flags {
	unsigned int low:3;
	int tiny:3;
	unsigned int mid:10;
	unsigned int one:1;
};

struct flags f;

BEGIN
{
	f.low = 5;
	f.tiny = -3;
	f.mid = 1000;
	f.one = 1;
	printf("%d %d %d %d\n", f.low, f.tiny, f.mid, f.one);
	printf("%d\n", sizeof (struct flags));
	f.mid = 1031;		/* 10 bits of it: 7 */
	printf("%d %d %d %d\n", f.low, f.tiny, f.mid, f.one);
	f.tiny = 4;
	f.mid = f.mid - 8;
	printf("%d %d\n", f.tiny, f.mid);
	exit(0);
}
