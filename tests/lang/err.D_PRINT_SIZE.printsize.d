/* More bytes than the option printsize allows. */
struct big { char bytes[16385]; };
BEGIN
{
	print(*(struct big *)arg0);
}
