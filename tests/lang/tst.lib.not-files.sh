# In a directory of libraries, what is not a file is not one.
mkdir -p lib/folder.d
mkfifo lib/pipe.d
ln -s nowhere lib/link.d
echo 'inline int EIGHT = 8;' > real
ln -s ../real lib/linked.d
exec "$DTRACE" -Llib -qn 'BEGIN { trace(EIGHT); exit(0); }'
