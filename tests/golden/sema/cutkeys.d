/* Constants that are keys and differ only where strsize cuts them are kept whole; a part
 * that has such has room for all of its constants, those before and behind them, too. */
#pragma D option strsize=8
BEGIN
{
	short_["1234567"] = 1; short_["123456"] = 1;
	cut["12345678a"] = 1; cut["other text"] = 1;
	again["12345678a"] = 1; again["12345678a"] = 1;
	whole["12345678a"] = 1; whole["12345678b"] = 1;
	behind["12345678a"] = 1; behind["12345678b"] = 1; behind["text that is longer"] = 1;
	before["text that is longer"] = 1; before["12345678a"] = 1; before["12345678b"] = 1;
	chosen[pid ? "12345678a" : "12345678b"] = 1;
	parts["12345678a", "12345678a"] = 1; parts["12345678a", "12345678b"] = 1;
	@agg["12345678a"] = count(); @agg["12345678b"] = count();
	@agg["text that is longer"] = count();
	@one["12345678a"] = count(); @other["12345678b"] = count();
}
