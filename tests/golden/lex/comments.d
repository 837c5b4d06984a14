#!/usr/sbin/dtrace -s
/**/ /***/ /* /* not nested */ BEGIN /* between
two lines */ {
	a /* * / */ + b; c /**/ / d;
	// don't /* begin another
	a //
	+ b; c //* a slash and a comment */ d;
}
#ident "nothing"
#
# 40 "elsewhere.h"
#line 50
#pragma D option quiet /* trailing */
#pragma D option bufsize=2m // trailing
#pragma other thing
END {
#pragma D option bufsize=1m
}
