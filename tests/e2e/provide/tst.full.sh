# needs: unshare
# A header for which the disk is full is not there, nor the half of it, nor the old one.
unshare -m bash -c '
	mkdir small && mount -t tmpfs -o size=64k none small && cd small || exit
	echo "provider p { probe a(int); };" >good.d
	echo old >good.h
	head -c 1M /dev/zero 2>/dev/null >most
	"$DTRACE" -h -s good.d 2>&1; echo $?
	ls
	rm most
	"$DTRACE" -h -s good.d; grep -c P_A_ENABLED good.h'
