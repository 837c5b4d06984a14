/* flags: -x errtags
 * args: 1 2
 * status: 1 */
BEGIN { trace($1); }
