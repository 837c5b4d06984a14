/* flags: -q
 * As a key a stack has a line for each frame, and the value one of its own.
 * Two probes fire from one place and are one stack. */
BEGIN { @a[stack(1)] = count(); }
BEGIN { @a[stack(1)] = count(); @b["x", stack(2), 7] = sum(3); }
BEGIN { printa("%k is %@d\n", @a); exit(0); }
