/* D`x is a type of the program or of D, C`x one of the system; without either
 * D's comes first. */
#pragma D option quiet

struct list_head { char mine[3]; };
typedef char pid_t3[5];
struct D`list_head d;
struct C`list_head *c;

BEGIN
{
	printf("%d %d %d\n", sizeof (struct list_head),
	    sizeof (struct D`list_head), sizeof (struct C`list_head));
	printf("%d %d\n", sizeof (D`pid_t3), sizeof (C`pid_t));
	printf("%d %d\n", sizeof (D`int64_t), sizeof (C`uint16_t));
	printf("%d %d\n", sizeof (d), sizeof (*c));
	printf("%d\n", ((struct C`task_struct *)curthread)->tgid == pid);
	exit(0);
}
