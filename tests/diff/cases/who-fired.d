/* Output that wants to know the thread: in the record of every clause, of the
 * default action, and behind the record of a fault. */
#pragma D option oformat=jsonl
BEGIN, diff::: { }
diff::: { trace((char)arg0); }
diff::: { if (arg0 & 1) { trace("odd"); } else { trace(pid); trace((short)arg1); } }
diff::: { this->x = arg0 - arg0; trace(arg1 / this->x); }
ERROR { trace(arg4); trace(execname); }
