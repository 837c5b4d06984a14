/* A loop that has as many rows as turns, until there are too many of these. */
struct out { long a; short b; string c; int e:7; char d[5]; long none; };
struct out whole;
translator struct out < int v > { d = lltostr(v); e = v; a = v * 0; b = v; c = lltostr(v + 0); };
BEGIN, diff::: { trace(timestamp); }
diff:::[a-c]
{
for (this->n12 = 0; this->n12 >= 0; this->n12++) {
printf(" %p\n", (int64_t)0);
}
print(xlate <struct out>((int)0));
discard(speculation());
}
