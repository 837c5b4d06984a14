# What stands behind the interpreter is one argument here, and is divided: -s may be
# the last of several flags, or have some behind it.
for flags in -qs '-q -s' '-s -q' '-qs -x strsize=3' '-Z	-C -s -x quiet -xstrsize=3'
do
	printf '#!%s %s\nBEGIN { printf("%%d %%s %%s\\n", $1, $$2, strjoin("fi", "ve")); exit(0); }\n' \
	    "$DTRACE" "$flags" >x.d
	chmod +x x.d
	./x.d 5 -x strsize=4 six
done
