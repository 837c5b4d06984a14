/* flags: -x errtags
 * status: 1 */
BEGIN { trace(strlen()); }
