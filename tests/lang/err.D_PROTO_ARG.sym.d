/* An address is a number. */
BEGIN
{
	sym("vfs_read");
}
