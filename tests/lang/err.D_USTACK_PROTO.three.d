/* Ustack() takes a number of frames and the size of a string. */
BEGIN
{
	ustack(1, 2, 3);
}
