/* A pointer is an address with its type; what it points at is not read. */
/* flags: -q */
struct node { struct node *next; };
BEGIN
{
	print((void *)0x1234);
	print((struct node *)16);
	print((char *)0);
	print((int (*)(int, char *))8);
	print((struct list_head *)0xffff888000000000);
	print(NULL);
	exit(0);
}
