/* Nothing stands between the two of %%. */
BEGIN
{
	printf("%-%");
}
