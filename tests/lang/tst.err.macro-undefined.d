/* flags: -x errtags
 * status: 1 */
BEGIN { trace($1); }
