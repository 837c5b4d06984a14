# needs: gcc readelf
# -G makes an object with the same note as the header; linked together it is there
# once, and the objects are as they were.
cp "$HERE"/prov.d "$HERE"/*.c "$HERE"/inline.h .
"$DTRACE" -h -s prov.d && gcc -O2 -c main.c other.c || exit
sum=$(cat main.o other.o | cksum)
"$DTRACE" -G -s prov.d main.o other.o || exit
[ "$sum" = "$(cat main.o other.o | cksum)" ] || echo 'objects were changed'
readelf -gW prov.o | grep -o 'COMDAT.*'
readelf -p .note.dtrace main.o | sed 1,2d >of.header
readelf -p .note.dtrace prov.o | sed 1,2d >of.object
diff of.header of.object
for o in 'prov.o main.o other.o' 'main.o other.o prov.o -Wl,--gc-sections' \
	'prov.o main.o other.o -flto' 'prov.o main.o other.o -Wl,--fatal-warnings'; do
	gcc $o -o p && ./p && readelf -p .note.dtrace p | grep -o 'provider myprov{'
done
gcc -shared prov.o -o lib.so && readelf -p .note.dtrace lib.so | grep -o 'provider myprov{'
# With nothing to say it is valid.
echo '#pragma D option quiet' >none.d
"$DTRACE" -G -s none.d -o none.o && gcc none.o main.o other.o -o p && ./p && echo linked
"$DTRACE" -h -s none.d -o none.h && grep -c define none.h >/dev/null && echo header
# Without objects, and another's machine.
"$DTRACE" -G -s - -o in.o <prov.d && cmp in.o prov.o
cp main.o arm.o && printf '\xb7' | dd of=arm.o bs=1 seek=18 conv=notrunc status=none
"$DTRACE" -G -s prov.d -o arm.out arm.o && readelf -h arm.out | grep -o 'AArch64'
"$DTRACE" -G -s prov.d -o x.o arm.o main.o
"$DTRACE" -G -s prov.d -o x.o prov.d
"$DTRACE" -G -s prov.d -o x.o p
"$DTRACE" -G -s prov.d -o x.o nothing.o
ls x.o 2>&1
true
