BEGIN
{
	if (a) x = 1;
	if (a) { x = 1; } else { x = 2; }
	if (a) x = 1; else if (b) x = 2; else x = 3;
	if (a) if (b) x = 1; else x = 2;
	if (a) { if (b) x = 1; } else x = 2;
	if (a) x = 1 else x = 2;
	if (a) { };
	if (a) ; else { y; z };
	if (a) { x; }; else y;
	last
}
