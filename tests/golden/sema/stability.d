/* How stable names are, and what uses them: a clause is as stable as the least of them. */
inline int evolving = 1;
inline int unstable = 2;
inline int local = 3;
inline int unsaid = 4;
#pragma D attributes Evolving/Stable/Common evolving
#pragma D attributes Stable/Unstable/Common unstable
#pragma D attributes Stable/Stable/ISA local
inline int plus[int n] = n + evolving;
inline int twice[int n] = n + unstable;
#pragma D attributes Private/Private/Platform twice
#pragma D attributes Private/Stable/Common late

BEGIN { trace(evolving); }
BEGIN { trace(unstable); }
BEGIN { trace(local); }
BEGIN { trace(unsaid); }
BEGIN { trace(evolving + unstable + local); }
BEGIN { trace(plus[pid]); }
BEGIN { trace(twice[pid]); }
BEGIN /evolving/ { trace(1); }
:::entry { trace(1); }
*:::entry { trace(1); }
s*:::entry { trace(1); }
syscall:::entry { trace(1); }
fbt:::entry { trace(1); }
dtrace:::BEGIN, fbt:::entry { trace(1); }
inline int late = 5;
