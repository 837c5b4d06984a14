/* ERROR runs behind an exit(), which its own exit() does not need. */
ERROR { trace(1); }
ERROR /arg1 == 1/ { exit(2); }
ERROR { trace(2); }
BEGIN, diff::: { trace(timestamp); }
diff::: { exit(0); trace(*(int *)0); }
diff::: { trace(3); }
