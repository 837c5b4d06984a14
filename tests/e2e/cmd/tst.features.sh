# What the kernel can do, and how each provider is attached: a row each, and no provider
# that has a row is without probes where it says yes, or has any where it says no.
"$DTRACE" -vV >rows
grep -c '^provider \(dtrace\|syscall\|profile\|sdt\|proc\|io\|fbt\|rawtp\|cpc\|plockstat\) ' rows
awk '$1 == "provider" && ($3 !~ /^(yes|no)$/ || NF < 4)' rows
sed -n 's/^provider \([^ ]*\) *\(yes\|no\) .*/\1 \2/p' rows | while read -r name can; do
	[ "$can" = yes ] || continue
	case $name in pid|plockstat) name=$name$$;; esac	# a process's
	"$DTRACE" -l -P "$name" 2>/dev/null | sed -n 2p | grep -q . || echo "$name has no probes"
done
grep '^provider syscall' rows
# Those that a table has are counted.
n=$("$DTRACE" -l -P proc | sed 1d | wc -l)
grep -o '^provider proc  *yes  [0-9]* of' rows | grep -c " $n of"
# What came after Linux 5.15, and is done otherwise, or not, where it is not there.
grep -c '^bpf_\(loop\|find_vma\) *\(yes\|no\) ' rows
