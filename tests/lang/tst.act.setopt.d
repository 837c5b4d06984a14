/* Options change in the order of the records, one by one. */
BEGIN
{
	trace(1);
	setopt("quiet");
}
BEGIN { trace(2); printf("\n"); setopt("quiet", "no"); }
BEGIN { trace(3); setopt(strjoin("qui", "et"), pid < 0 ? "off" : "on"); }
BEGIN { @[1, 2] = sum(2); @[2, 1] = sum(1); setopt("aggsortkey"); exit(0); }
