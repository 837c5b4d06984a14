/* flags: -q
 * args: BEGIN GIN dtrace N 1
 * Macros are part of the text of a description. */
$1 { printf("name\n"); }
$3:::$1 { printf("provider, name\n"); }
dtrace:::BE$2 { printf("end\n"); }
$$3:::BEGI$$4 { printf("strings\n"); }
$5 { printf("number\n"); }
dtrace:::$1
/$$1 == probename && $$3 == probeprov/
{
	exit(0);
}
