/* There is no such library; nor are there any, in this test. */
import "no such library";

BEGIN
{
}
