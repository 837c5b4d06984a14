/* flags: -q
 * status: 6 */
BEGIN { exit(4); }
BEGIN { exit(5); }
END { exit(6); }
