/* What is changed is what is shown from then on; clear() leaves keys, and the
 * factor of normalize(). */
/* flags: -q */
BEGIN { @a["x"] = sum(1000); @a["y"] = sum(3000); printa("%s %@d\n", @a); }
BEGIN { normalize(@a, 10); denormalize(@a); printa("%s %@d\n", @a); }
BEGIN { normalize(@a, 100); printa("%s %@d\n", @a); }
BEGIN { trunc(@a, 1); printa("%s %@d\n", @a); }
BEGIN { clear(@a); printa("%s %@d\n", @a); exit(0); }
END { @a["y"] = sum(500); }
END { printa("%s %@d\n", @a); trunc(@a); }
