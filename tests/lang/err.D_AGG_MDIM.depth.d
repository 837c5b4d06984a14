/* All stacks of one aggregation are equally deep. */
BEGIN
{
	@[stack(2)] = count();
	@[stack(3)] = count();
}
