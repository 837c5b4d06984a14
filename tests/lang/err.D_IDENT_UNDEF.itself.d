/* X has no value yet, and none that is a number or a string has a member. */
BEGIN
{
	x = x->next;
}
