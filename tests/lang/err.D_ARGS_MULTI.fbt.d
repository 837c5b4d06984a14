/* What these probes pass is not alike. */
proc:::create,
fbt::do_exit:entry
{
	trace(args[0]);
}
