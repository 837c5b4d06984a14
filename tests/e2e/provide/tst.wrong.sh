# What cannot be made is refused, and no file is left.
try() {
	echo "$1" >bad.d
	"$DTRACE" -h -s bad.d 2>&1
	echo "$?"
}
try 'provider p { probe a(int, double); };'
try 'struct s { int x; }; provider p { probe a(struct s); };'
try 'provider p { probe a(int,int,int,int,int,int,int,int,int,int,int,int,int); };'
try 'BEGIN { } provider p { probe a(); };'
try 'provider p { probe a(nothing_of_this_name *); };' | head -1
try 'BEGIN { }'
"$DTRACE" -h -n BEGIN 2>&1; echo $?
"$DTRACE" -h 2>&1; echo $?
"$DTRACE" -h -s bad.d x.o 2>&1; echo $?
"$DTRACE" -h -G -s bad.d 2>&1; echo $?
"$DTRACE" -h -s bad.d -s bad.d 2>&1; echo $?
"$DTRACE" -h -s no-such-file.d 2>&1; echo $?
echo 'provider p { probe a(int); };' >good.d
"$DTRACE" -h -s good.d -o no-such-folder/x.h 2>&1; echo $?
"$DTRACE" -G -s good.d -o no-such-folder/x.o 2>&1; echo $?
# No room: what was made is not there, and a device stays where it is.
ln -s /dev/full full
"$DTRACE" -h -s good.d -o full 2>&1; echo $?
"$DTRACE" -G -s good.d -o full 2>&1; echo $?
ls
