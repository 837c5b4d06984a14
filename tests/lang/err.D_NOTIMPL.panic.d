/* A tracing program cannot stop the system. */
BEGIN
{
	panic();
}
