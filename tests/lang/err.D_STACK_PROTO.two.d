/* Stack() takes how many frames, and nothing else. */
BEGIN
{
	stack(1, 2);
}
