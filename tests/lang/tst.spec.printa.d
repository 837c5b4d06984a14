/* flags: -q
 * A speculated printa() shows the aggregation as it is when it is committed. */
BEGIN { s = speculation(); @ = count(); }
BEGIN { speculate(s); printa("count %@d\n", @); }
BEGIN { @ = count(); }
BEGIN { commit(s); }
BEGIN { exit(0); }
