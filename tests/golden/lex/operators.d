/* Every operator, the longest first where one begins another. */
BEGIN
{
	a <<= b << c <= d < e;
	f >>= g >> h >= i > j;
	k ^^ l ^= m ^ n;
	o && p &= q & r;
	s || t |= u | v;
	w++ + ++x - --y - z-- -> a += 1;
	a *= b * c /= d / e %= f % g;
	h == i != j = !k;
	~m ? n : o, p . q;
	r[s]; t(u);
}
