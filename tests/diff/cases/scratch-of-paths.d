/* cwd, root and execargs take scratch as results of subroutines do. */
#pragma D option strsize=64
#pragma D option scratchsize=1024
BEGIN, diff::: { trace(timestamp); }
diff:::a
{
	trace(cwd); trace(root); trace(execargs); trace(cwd);
	trace(cwd); trace(root); trace(execargs); trace(cwd);
	trace(cwd); trace(root); trace(execargs); trace(cwd);
	trace(cwd); trace(root); trace(execargs); trace(strjoin("a", "b"));
}
diff:::a
{
	trace(cwd); trace(root); trace(execargs); trace(cwd);
	trace(cwd); trace(root); trace(execargs); trace(cwd);
	trace(cwd); trace(root); trace(execargs); trace(cwd);
	trace(cwd); trace(root); trace(execargs); trace(lltostr(1)); trace(lltostr(2));
}
