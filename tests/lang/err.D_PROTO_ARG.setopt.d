/* A value is text. */
BEGIN
{
	setopt("aggsortpos", 1);
}
