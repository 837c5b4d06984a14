# A dash for two underscores; a probe of each function that has places of it; several
# places in one; patterns; the object's names.
noted=${WORKLOAD%/*}/noted
list() {
	echo "$1"
	"$DTRACE" -l -n "$1" -c "$noted" 2>&1 | grep -v traced: | sed 1d | sed 's,to match.*,to match,' |
		awk '{ sub("[0-9]+$", "", $2); print $2, $3, $4, $5 }' | sort
}
list 'noted$target:::two-places'
list 'noted$target:noted:*place*:'
list 'no*d$target:a.out:both_places:s??e'
list 'noted$target:libc.so.6::'
"$DTRACE" -qn 'noted$target:::two-places { @[probefunc] = sum(arg0); }
	noted$target:::same { @x[probefunc] = sum(arg0); }' -c "$noted" | grep place
