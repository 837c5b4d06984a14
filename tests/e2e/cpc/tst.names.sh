# What names there are, and why not.
"$DTRACE" -lP cpc | awk 'NR > 1 { print $NF }' | grep -v -e PAPI -e 1000000
for name in page_faults-all-7 page_faults-any-1 page_faults-all-0 page_faults-all \
	no_event-all-1 page_fault-all-1 -all-1 page_faults-all-x page_faults-all-99999999999999999999; do
	"$DTRACE" -ln "cpc:::$name" 2>&1 | awk '!/PROVIDER/ { $1 = ""; print }' |
		sed "s/ and \(libpfm4 has none of that\|those of the processor by its own\) name.*//"
done
# Of a processor's counters: not too often, if there are any.
"$DTRACE" -ln 'cpc:::PAPI_tot_cyc-all-100' 2>&1 | head -1 |
	sed 's/.*this machine has no counters of its processors for \(.*\)/\1 can be counted by 5000 at least/; s/.*: PAPI/PAPI/'
"$DTRACE" -ln 'cpc:::cpu_cycles-all-5000' 2>&1 |
	grep -c -e 'no counters of its processors' -e '  cpu_cycles-all-5000$'
