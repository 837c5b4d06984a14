# needs: cpp
# The system's headers under -C: none is refused.
headers='aio.h arpa/inet.h arpa/nameser.h complex.h ctype.h dirent.h dlfcn.h
	elf.h errno.h fcntl.h fenv.h glob.h grp.h ifaddrs.h inttypes.h limits.h
	link.h locale.h math.h mqueue.h net/if.h netdb.h netinet/in.h
	netinet/ip.h netinet/ip6.h netinet/tcp.h obstack.h poll.h pthread.h
	pwd.h regex.h resolv.h sched.h semaphore.h setjmp.h signal.h stdarg.h
	stdatomic.h stddef.h stdio.h stdlib.h string.h sys/epoll.h sys/ioctl.h
	sys/mman.h sys/mount.h sys/procfs.h sys/ptrace.h sys/resource.h sys/socket.h
	sys/stat.h sys/time.h sys/types.h sys/ucontext.h sys/un.h sys/user.h
	sys/wait.h termios.h tgmath.h thread_db.h time.h unistd.h utmpx.h
	wchar.h linux/batadv_packet.h linux/bpf.h linux/btf.h linux/can.h
	linux/ethtool.h linux/fuse.h linux/io_uring.h linux/kvm.h
	linux/netlink.h linux/nl80211.h linux/perf_event.h linux/tcp.h
	linux/usbdevice_fs.h linux/videodev2.h linux/virtio_net.h sound/asound.h
	asm/amd_hsmp.h asm/sigcontext.h'
for h in $headers; do
	printf '#if __has_include(<%s>)\n<%s>\n#endif\n' "$h" "$h"
done | cpp -P -Ulinux - > present
while read -r h; do
	printf '#include %s\nBEGIN { exit(0); }\n' "$h" > x.d
	"$DTRACE" -C -es x.d > x.log 2>&1 || { echo "$h:"; cat x.log; }
done < present
n=$(wc -l < present)
[ "$n" -ge 40 ] || { echo "only $n of the headers are here"; exit 77; }
echo "done"
