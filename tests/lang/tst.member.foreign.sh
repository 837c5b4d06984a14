# Members that threads have on other systems: the hint says what to use.
for member in t_pri t_cpu t_state t_lwp t_cid t_start t_dispq \
	t_whatever td_oncpu td_whatever p_stksize; do
	"$DTRACE" -n "BEGIN { trace(curthread->$member); exit(0); }" 2>&1 |
		sed -n 's/^hint:/'$member:'/p'
done
"$DTRACE" -n 'BEGIN { trace(curproc->p_pid); exit(0); }' 2>&1 | grep ^hint

# A thread, its process and its parent are tasks, and the names of these members ours.
"$DTRACE" -qn 'BEGIN {
	this->parent = (char *)curthread->t_procp->p_parent->p_user.u_comm;
	printf("%d %d %d\n", stringof(this->parent) == stringof(curthread->real_parent->comm),
	    curthread->t_procp->p_ppid == ppid, (*curthread->td_proc).p_ppid == ppid);
	this->p = curthread->td_proc;
	printf("%d %d %d %d\n", this->p->p_pid == pid, this->p->p_pidp->pid_id == pid,
	    curthread->t_tid == tid && curthread->td_tid == tid && curthread->t_did == tid,
	    stringof(this->p->p_pptr->p_comm) == stringof(this->parent) &&
	    stringof(curthread->td_name) == execname);
	exit(0); }'

# Of what sched and proc tell, some are ours under another name.
"$DTRACE" -qn 'BEGIN { printf("%d %d %d %d\n", curpsinfo->p_pid == pid, curpsinfo->p_comm == execname,
	curlwpsinfo->td_tid == tid, curlwpsinfo->td_name == execname); exit(0); }'
"$DTRACE" -qn 'BEGIN { printf("%d\n", curthread->state == curthread->__state &&
	&curthread->mm->mmap_sem == &curthread->mm->mmap_lock); exit(0); }'
"$DTRACE" -en 'BEGIN { this->r = (struct request *)0; this->b = (struct bio *)0;
	this->d = this->r->rq_disk; this->d = this->b->bi_disk; }'
"$DTRACE" -n "BEGIN { trace(((struct bio *)0)->bi_sector); }" 2>&1 | grep ^hint
"$DTRACE" -qn 'struct psinfo { int p_pid, pr_pid; }; struct psinfo own;
	BEGIN { own.p_pid = 7; own.pr_pid = 9; printf("%d\n", own.p_pid); exit(0); }'
for member in td_proc td_priority; do
	"$DTRACE" -n "sched:::wakeup { trace(args[0]->$member); }" 2>&1 |
		sed -n 's/^hint:/'$member:'/p'
done
for member in p_pptr p_ucred; do
	"$DTRACE" -n "sched:::wakeup { trace(args[1]->$member); }" 2>&1 |
		sed -n 's/^hint:/'$member:'/p'
done
"$DTRACE" -eqn 'io:::start { trace(args[0]->bio_bcount + args[0]->bio_pblkno + args[0]->bio_error);
	trace(args[1]->device_name); trace(args[1]->unit_number); }'
for member in args[0]-\>bio_cmd args[0]-\>bio_offset args[1]-\>device_number; do
	"$DTRACE" -n "io:::start { trace($member); }" 2>&1 | sed -n 's/^hint:/'$member':/p'
done

"$DTRACE" -n 'BEGIN { trace(((struct kmem_cache *)0)->cache_name); }' 2>&1 | grep ^hint

# Those of other structs are only misspelt.
"$DTRACE" -n 'BEGIN { trace(curthread->mm->t_pri); exit(0); }' 2>&1 | grep ^hint

# So for types, and functions that fbt has there.
for type in kthread_t proc_t vnode_t 'struct vnode' 'struct uio' buf_t kmutex_t mblk_t ipha_t 'struct ip6_hdr' tcph_t icmph_t mac_impl_t sata_pkt_t \
	'struct componentname'; do
	"$DTRACE" -n "BEGIN { trace((($type *)0)->x); exit(0); }" 2>&1 |
		sed -n "s/^hint:/$type:/p"
done
for func in fop_read fop_getpage ufs_read bdev_strategy sotpi_accept tcp_rput_data resume \
	sd_core_iostart mutex_enter VNOP_READ dnlc_lookup nfs4_getapage zio_done g_vfs_strategy \
	scsi_init_pkt sd_add_buf_to_waitq icmp_inbound_v4 ip_xmit_v4 pagefault \
	mac_tx mac_rx mac_vnode_check_read mac_ioctl nv_sata_start \
	ssd_buf_iodone putnext dld_wput rfs4_op_read cnwrite segkmem_alloc kmem_free \
	blk_account_io_nosuch account_page_dirtied __do_page_cache_readahead swap_readpage \
	tcp_drop do_IRQ _do_fork SyS_open __x64_sys_nosuch; do
	"$DTRACE" -en "fbt::$func:entry { }" 2>&1 | sed -n "s/^hint:/$func:/p"
done
for module in sockfs specfs ip; do
	"$DTRACE" -en "fbt:$module::entry { }" 2>&1 | sed -n "s/^hint:/$module:/p"
done
"$DTRACE" -en 'BEGIN { printf("%s", (enum pid_type)1); }' 2>&1 | grep ^hint
"$DTRACE" -en 'vfs::vop_read:entry { }' 2>&1 | grep ^hint
"$DTRACE" -n 'BEGIN { exit(TASK_RUNNING); }' 2>&1 | grep ^hint
"$DTRACE" -n 'BEGIN { exit(MAP_TEXT); }' 2>&1 | grep ^hint

# What the hints name exists.
"$DTRACE" -qn 'BEGIN {
	trace(curlwpsinfo->pr_pri); trace(curlwpsinfo->pr_state);
	trace(curlwpsinfo->pr_lwpid); trace(curlwpsinfo->pr_syscall);
	trace(curlwpsinfo->pr_bindpro); trace(curlwpsinfo->pr_clname);
	print(curlwpsinfo->pr_start); trace(curpsinfo->pr_psargs);
	trace(curpsinfo->pr_ppid); trace(curcpu->cpu_chip);
	trace(curthread->prio); trace(curthread->__state);
	trace(curthread->policy); trace(curthread->cred);
	trace(curthread->start_time); trace(curthread->stack);
	trace(curthread->se.vruntime); trace(curthread->comm);
	trace(curthread->group_leader); trace(curthread->real_parent);
	trace(curthread->se.cfs_rq->rq->nr_running);
	exit(0); }' >/dev/null
"$DTRACE" -qn 'BEGIN {
	trace(sizeof (struct inode)); trace(sizeof (struct dentry));
	trace(sizeof (struct super_block)); trace(sizeof (struct iov_iter));
	trace(sizeof (struct kiocb)); trace(sizeof (struct bio));
	trace(sizeof (struct request));
	trace(sizeof (struct device)); trace(sizeof (struct mutex));
	trace(sizeof (spinlock_t)); trace(sizeof (struct rw_semaphore));
	trace(sizeof (rwlock_t)); trace(sizeof (wait_queue_head_t));
	trace(sizeof (struct sock)); trace(sizeof (struct tcp_sock));
	trace(sizeof (struct socket)); trace(sizeof (struct sk_buff));
	trace(sizeof (struct net_device)); trace(sizeof (struct mm_struct));
	trace(sizeof (struct page)); trace(sizeof (struct file));
	trace(sizeof (struct iphdr)); trace(sizeof (struct ipv6hdr));
	trace(sizeof (struct tcphdr)); trace(sizeof (struct udphdr));
	trace(curthread->cred); trace(curthread->mm); trace(curthread->nsproxy);
	exit(0); }' >/dev/null
"$DTRACE" -lqn 'io:::start, io:::done, io:::wait-start, io:::wait-done,
	sched:::on-cpu, sched:::off-cpu, sched:::enqueue, sched:::sleep, proc:::exec,
	proc:::create, proc:::lwp-create, proc:::signal-send, proc:::signal-handle,
	vminfo:::as_fault, vminfo:::pgin, vminfo:::pgout, lockstat:::adaptive-acquire,
	lockstat:::adaptive-release, tcp:::send, tcp:::receive, udp:::send, udp:::receive,
	ip:::send, ip:::receive, sdt:kmem::kmalloc, sdt:kmem::kmem_cache_alloc,
	sdt:workqueue::' 2>&1 >/dev/null | grep -v 'this kernel has no probe'
exit 0
