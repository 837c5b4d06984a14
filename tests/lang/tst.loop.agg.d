/* flags: -q */
/* Aggregations, arrays and thread-locals in loops. */
BEGIN
{
	self->total = 0;
	for (i = 1; i <= 100; i++) {
		@sum = sum(i);
		@by[i % 3 == 0 ? "fizz" : "no"] = count();
		@q = quantize(i);
		squares[i] = i * i;
		self->total += squares[i];
	}
	printf("%d\n", self->total);
	exit(0);
}
