/* Only the preprocessor knows this line. */
#define X 1
BEGIN
{
}
