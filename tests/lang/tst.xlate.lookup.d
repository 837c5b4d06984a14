/* Which of several translators: that of the very type, else that of what the
 * type stands for, else one that takes it. */
#pragma D option quiet

typedef int money_t;
typedef int metres_t;
struct out { int which; };

translator struct out < int I > { which = 1; };
translator struct out < money_t I > { which = 2; };
translator struct out < char *P > { which = 3; };

money_t money;
metres_t metres;

BEGIN
{
	printf("%d %d %d %d %d\n", xlate <struct out>(1).which,
	    xlate <struct out>(money).which, xlate <struct out>(metres).which,
	    xlate <struct out>((short)1).which,
	    xlate <struct out>((char *)0).which);
	exit(0);
}
