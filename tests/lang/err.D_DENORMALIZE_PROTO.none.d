/* Denormalize() takes an argument. */
BEGIN
{
	denormalize();
}
