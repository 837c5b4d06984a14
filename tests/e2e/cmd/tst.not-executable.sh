# A command that cannot be executed is an error, quiet or not, and whether that
# is known before tracing begins or not.
printf 'no program' >garbage
chmod +x garbage
mkdir dir
for command in ./garbage ./dir ./absent; do
	"$DTRACE" -qn 'BEGIN {} END { printf("ended\n"); }' -c "$command" 2>&1
	echo "status $?"
done
