# A command that cannot be executed is an error, quiet or not, and whether that
# is known before tracing begins or not, or while its functions are looked for.
printf 'no program' >garbage
chmod +x garbage
mkdir dir
for command in ./garbage ./dir ./absent; do
	"$DTRACE" -qn 'BEGIN {} END { printf("ended\n"); }' -c "$command" 2>&1
	echo "status $?"
done
printf '#!/absent\n' >script
chmod +x script
head -c 2000 "$WORKLOAD" >cut		# the kernel ends it as it begins
chmod +x cut
for command in ./garbage ./script ./cut; do
	"$DTRACE" -qn 'pid$target::f:entry, pid$target::g:entry' -c "$command" 2>&1 |
		sed -n 's/.*description pid[0-9]*:://p'
done
