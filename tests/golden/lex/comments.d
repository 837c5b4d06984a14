#!/usr/sbin/dtrace -s
/**/ /***/ /* /* not nested */ BEGIN /* between
two lines */ {
	a /* * / */ + b; c /**/ / d;
}
#ident "nothing"
#
# 40 "elsewhere.h"
#line 50
#pragma D option quiet /* trailing */
#pragma other thing
END {
#pragma D option bufsize=1m
}
