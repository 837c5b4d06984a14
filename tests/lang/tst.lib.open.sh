# The flags of open(2) are this machine's.
for name in RDONLY WRONLY RDWR ACCMODE CREAT EXCL NOCTTY TRUNC APPEND NONBLOCK DSYNC ASYNC \
	DIRECT DIRECTORY NOFOLLOW NOATIME CLOEXEC SYNC PATH TMPFILE NDELAY RSYNC; do
	d+=" printf(\"O_$name %#x\\n\", O_$name);" py+=" 'O_$name',"
done
"$DTRACE" -qn "BEGIN { $d exit(0); }" | sed '/^$/d' >got
python3 -c "import os
for name in $py: print(name, hex(getattr(os, name)))" | sed 's/ 0x0$/ 0/' >wanted
diff wanted got && wc -l <got
