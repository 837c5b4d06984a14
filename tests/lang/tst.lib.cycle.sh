# Two libraries that depend on each other.
mkdir lib
printf '\n#pragma D depends_on library b\n' >lib/a.d
printf '#pragma D depends_on library a.d\n' >lib/b.d
"$DTRACE" -x errtags -qL lib -n 'BEGIN { exit(0); }' 2>err && exit 1
cat err
