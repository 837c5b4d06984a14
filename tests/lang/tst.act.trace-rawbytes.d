/* rawbytes: bytes even where they are text. */
/* flags: -q -x rawbytes */
char name[8];

BEGIN
{
	name[0] = 'o'; name[1] = 'k';
	trace(name);
	exit(0);
}
