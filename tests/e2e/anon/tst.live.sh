# A claimer's folder, environment and files are the trace's from then on.
. "$HERE/anon.sh"
save -qw -n 'BEGIN { printf("%Y\n", (uint64_t)0); freopen("reopened"); printf("there\n"); freopen("");
	system("echo $PWD; echo to stderr >&2"); } tick-100ms { printf("\n"); exit(0); }'
begin
mkdir here
cd here
TZ=XYZ-05:30 "$DTRACE" --anon-root "$root" -a >out 2>err
echo status $?
sed "s:${PWD%/here}:DIR:" out | head -2
cat reopened err
over
