#!/usr/sbin/dtrace -qs
/* flags: -q */
/* Comments stand wherever a blank may, over lines,
 * and do not nest: /* this is all one. */
#ident "what this is"
#pragma ident "also ignored"
/**/BEGIN/**/
{/* here */
	/* and */ trace/**/(1)/* there */;
	/***/ trace(4 /**/ + 2/**/); /* / * */
	trace(8/ /*two*/2);
	exit(0);
}/**/
