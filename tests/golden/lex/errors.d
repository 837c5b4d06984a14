/* Lexical errors do not end a statement. */
BEGIN
{
	08; 0b1; 12x; 0x; 1lul; 18446744073709551616;
	''; '123456789'; 'x
	; "open
	; $7; $nothing; $targat;
}
#error enough
END { $pid; "done"; }
#include <x.h>
END { not, read
