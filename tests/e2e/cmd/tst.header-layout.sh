# needs: cpp gcc
# What D makes of the system's structs is what the C compiler makes of them.
cat > includes <<'C'
#include <elf.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <sys/times.h>
#include <sys/ucontext.h>
#include <sys/un.h>
#include <sys/user.h>
#include <sys/utsname.h>
#include <termios.h>
#include <time.h>
#include <linux/batadv_packet.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/fuse.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/io_uring.h>
#include <linux/kvm.h>
#include <linux/netlink.h>
#include <linux/perf_event.h>
#include <linux/usb/ch9.h>
#include <linux/videodev2.h>
#include <linux/virtio_net.h>
C
# TYPE MEMBER ...
cat > types <<'T'
Elf64_Sym st_value
Elf64_Ehdr e_shstrndx
fpregset_t
gregset_t
greg_t
max_align_t
mcontext_t fpregs gregs[3]
pthread_mutex_t __align
siginfo_t si_addr si_addr_lsb
sigset_t
stack_t ss_size
ucontext_t uc_mcontext uc_mcontext.gregs[5] uc_sigmask
va_list
struct addrinfo ai_addr
struct batadv_ogm_packet seqno orig
struct batadv_unicast_tvlv_packet src align
struct bpf_insn off imm
struct bpf_prog_info map_ids nr_jited_ksyms run_cnt
struct btf_header str_off
struct epoll_event data data.u64
struct ethhdr h_proto
struct flock l_pid
struct fuse_attr_out attr attr.mtimensec
struct ifaddrs ifa_ifu.ifu_dstaddr
struct in6_addr s6_addr
struct inotify_event name
struct io_uring_sqe addr3 file_index __pad2 user_data
struct io_uring_cqe big_cqe
struct ip6_hdr ip6_src ip6_ctlun.ip6_un1.ip6_un1_hlim
struct iphdr protocol daddr
struct itimerspec it_value.tv_nsec
struct kvm_msrs entries entries[2].data
struct kvm_nested_state data data.vmx[1].shadow_vmcs12
struct kvm_regs rflags
struct kvm_run mmio.len request_interrupt_window s internal.data[3]
struct kvm_sregs interrupt_bitmap cs.limit
struct nlmsghdr nlmsg_pid
struct passwd pw_shell
struct perf_event_attr bp_type aux_watermark sig_data
struct perf_event_mmap_page capabilities aux_size data_head
struct perf_branch_entry to
struct pollfd revents
struct rusage ru_nivcsw
struct sigaction sa_mask sa_flags
struct signalfd_siginfo ssi_addr __pad
struct sockaddr_in6 sin6_scope_id
struct sockaddr_storage ss_family
struct sockaddr_un sun_path[5]
struct stat st_size st_ctim.tv_nsec
struct statvfs f_flag
struct sysinfo mem_unit
struct tcphdr window urg_ptr
struct termios c_cc c_ospeed
struct timex tai
struct tms tms_cstime
struct tpacket3_hdr hv1.tp_vlan_tci tp_padding
struct usb_endpoint_descriptor wMaxPacketSize bSynchAddress
struct usb_device_descriptor bcdUSB
struct user u_fpstate u_debugreg[3]
struct user_regs_struct gs
struct utsname machine
struct v4l2_buffer m.planes timecode.userbits request_fd
struct v4l2_dv_timings bt.reserved
struct v4l2_format fmt.pix.width fmt.raw_data[4]
struct virtio_net_hdr_v1 csum_start num_buffers
union bpf_attr prog_name link_create.tracing.cookie batch.flags
T
while read -r line; do
	case $line in
	struct* | union*) type=${line%% *}; line=${line#* } ;;
	*) type= ;;
	esac
	set -- $line
	type="$type${type:+ }$1"
	shift
	echo "$type"
	for m; do echo "$type, $m"; done
done < types | sed '/,/s/.*/offsetof(&)/; /,/!s/.*/sizeof (&)/' > values
sed 's/.*/printf("&: %d\\n", (int)(&));/' values > prints
{ cat includes; echo 'int main(void) {'; cat prints; echo '}'; } > x.c
{ cat includes; echo 'BEGIN {'; cat prints; echo 'exit(0); }'; } > x.d
if ! gcc -std=gnu11 -w -o x x.c 2> gcc.log; then
	grep error: gcc.log
	exit 77
fi
./x > wanted
"$DTRACE" -q -C -x cppargs=-std=gnu11 -s x.d | sed '$d' | diff wanted - &&
	[ "$(wc -l < wanted)" -eq "$(wc -l < values)" ] && echo same
