# Comments, of both kinds: in a script, in a control line, in a library, which is looked
# through before it is read, and with cpp.
mkdir lib
cat >lib/c.d <<'END'
// This isn't a "string, and { opens nothing.
inline int six = 6; // inline int seven = 7;
// inline int eight = 8;
/* // */ inline int nine = 9;
END
cat >c.d <<'END'
// A script's first line isn't read as a "string.
#pragma D option quiet // nor is this line's end
BEGIN // at once
/six == 6 /* // */ && "//" == "//"/ // a predicate stands before
{
	// trace("not here"); /* nor here
	x = six / /* half */ 2; // x = 0;
	printf("%d %d %s\n", x, nine //* a third */ 3
	    , "http://host/"); }
BEGIN /1//* the slash ends it */{ printf("and here\n"); }
BEGIN { exit(0); } // no line ends here
END
truncate -s -1 c.d
"$DTRACE" -L lib -s c.d
sed "s,//[*].*[*]/,/," c.d | "$DTRACE" -C -L lib -s /dev/stdin
"$DTRACE" -L lib -qn 'BEGIN { trace(seven); }' 2>&1 | sed -n '1s/.*: //p'
