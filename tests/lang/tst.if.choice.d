/* flags: -q */
/* args: 1 */
/* ?:, && and || of actions are statements that choose. */
inline int OPT_yes = 1;
inline int OPT_no = 0;

BEGIN
{
	n = 3;
	OPT_yes ? printf("yes ") : 1;
	OPT_no ? printf("no ") : 1;
	OPT_no ? 1 : printf("otherwise ");
	OPT_no ? printf("no ") : OPT_yes ? printf("second ") : printf("third ");
	n == 3 ? printf("%d ", n) : printf("%s ", "none");
	n > 2 && printf("and ");
	n > 3 && printf("not and ");
	n > 3 || printf("or ");
	n > 2 || printf("not or ");
	n > 2 && (n < 4 || printf("never "));
	n ? (printf("one "), x = 5, printf("two ")) : 0;
	!OPT_yes ? trace(1) : trace("text");
	printf("\n%d\n", x);
}
BEGIN
{
	n == 3 ? @one = count() : 1;
	n == 4 ? @two = count() : @three[execname == "" ? "a" : "b"] = sum(n);
	n && @four["k"] = max(n);
	n || @five = count();
	$1 ? @six = count() : 1;
	OPT_yes ? printa("%@d\n", @six) : printa(@five);
	$1 ? exit(0) : exit(1);
}
