# timeout: 60
# Many variables of each class: each keeps what it was given.
check() {	# NUMBER FORM DECLARATION
	awk -v n=$1 -v form="$2" -v decl="$3" 'BEGIN {
		for (i = 0; decl && i < n; i++)
			printf decl "\n", i
		print "int64_t total;"
		for (i = 0; i < n; i++)
			printf "BEGIN { " form " = %d; }\n", i, i + 1
		for (i = 0; i < n; i++)
			printf "BEGIN { total += " form "; }\n", i
		print "BEGIN { printf(\"%d\\n\", total); exit(0); }"
	}' >d
	"$DTRACE" -q -s d 2>&1 | sed '/^$/d'
}
check 1000 'g%d' ''
check 1000 'this->t%d' ''
check 300 'self->s%d' ''
check 1000 'c%d[3]' 'int c%d[4];'
check 100 'a%d[1]' ''
check 1000 'a%d[1]' ''
