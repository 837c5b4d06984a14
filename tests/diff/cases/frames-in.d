
BEGIN, diff::: { trace(timestamp); }
diff:::a
{
g2["", 0, 0, 0] ^= 0;
}

diff:::
{
trace(g2[probename, 0, 0, 0]);
}
