# The only clause that aggregates is left out, since its probe cannot be attached: the rest runs, is
# recorded, and replayed.
p='ip:::send { @a[args[2]->ip_ver] = count(); } BEGIN { printf("the rest\n"); exit(0); } END { printa(@a); }'
"$DTRACE" -x nolibs -qn "$p"
"$DTRACE" -x nolibs -x save=trace -qn "$p"
"$DTRACE" -qr trace
