/* Denormalize() takes an aggregation. */
BEGIN
{
	denormalize(1);
}
