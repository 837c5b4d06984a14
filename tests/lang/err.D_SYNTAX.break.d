/* There is no loop to break. */
BEGIN
{
	if (pid)
		break;
}
