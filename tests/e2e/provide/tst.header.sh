# The macros, and the note; what comes before is <dtrace/sdt.h> as it is.
"$DTRACE" -h -s "$HERE/prov.d" -o prov.h || exit
sdt=$HERE/../../../include/dtrace/sdt.h
tail -n +2 prov.h | cmp -n "$(stat -c %s "$sdt")" - "$sdt"
head -n 1 prov.h
tail -n +"$(($(wc -l <"$sdt") + 2))" prov.h
# The name is that of the source, where no other is given.
cp "$HERE/prov.d" .
rm prov.h
"$DTRACE" -hs prov.d && ls
