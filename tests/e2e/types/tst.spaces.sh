# needs: cc
# A pointer of a process never reads the kernel's memory, nor one of the kernel's that of a
# process, whatever way it has gone.  One of a process stays one when it is cast.
cc -g -o spaces "$HERE/spaces.c"
AT='syscall::write:entry /pid == $target && arg2 == 5/'
# where the kernel keeps this shell, which stays
shell=$("$DTRACE" -qn 'syscall::exit_group:entry /pid == $target/ {
	this->t = curthread->real_parent;
	for (int i = 0; i < 9 && this->t->tgid != $1; i++)
		this->t = this->t->real_parent;
	printf("%x", (uintptr_t)this->t); exit(0); }' -c true $$)

# Each line of the input is an expression, perhaps with what is done before it: it is read,
# or a fault at an address of the shell's struct, or at one of the process.
try() {
	cat >own.d <<-'END'
		struct own { struct our_node *p; };
		struct own own;
		inline struct our_node *NEXT = self->n->next;
	END
	echo "$AT { this->n = (struct our_node *)arg1; self->n = this->n; }" >>own.d
	while IFS='|' read -r expr before; do
		echo "$AT { printf(\"%s: \", \"$expr\"); }"
		echo "$AT { $before trace($expr); printf(\" is read\\n\"); }"
	done >>own.d
	cat >>own.d <<-'END'
		ERROR { printf("%s\n", arg4 != DTRACEFLT_BADADDR ? "another fault" :
			arg5 - $1 < sizeof(*curthread) ? "kernel" :
			arg5 < 1 << 47 ? "process" : "elsewhere"); }
	END
	"$DTRACE" -qs own.d -c "./spaces $shell" "0x$shell" 2>err
	sed "/^dtrace: error on enabled probe/d" err
}
echo "= into the process"
try <<'END'
this->n->name
this->n->next->name
this->n->many[1]->name
this->n->next->next
stringof(this->n->text)
*this->n->text
this->n->other->name[0]
(*this->n->to)->name
(*this->n->many[1]).name
(this->n->next + 1)->next
(&this->n->next->many[0])[1]
((struct our_node *)(uintptr_t)this->n->next)->name
((node_p)(uintptr_t)a.out`bad)->name
((struct our_node *)(void *)this->n->next)->name
((struct our_node *)(struct task_struct *)(uintptr_t)a.out`bad)->next
(pid ? this->n->next : this->n)->name
a.out`bad->name
a.out`links[1]->name
*(int *)this->n->next
*(char *)(void *)this->n->next
NEXT->name
self->n->next->name
this->q->name|this->q = self->n->next;
self->q->name|self->q = self->n->next;
g->name|g = self->n->next;
q[1]->name|q[1] = self->n->next;
q[1]->name|
this->copy.next->name|this->copy = *this->n;
own.p->name|own.p = this->n->next;
END
echo "= into the kernel"
try <<'END'
curthread->pid == tid
((struct task_struct *)$1)->tgid > 0
((struct task_struct *)arg1)->pid
((struct list_head *)arg1)->next
((struct list_head *)this->n)->next != NULL
((struct list_head *)(void *)this->n)->next != NULL
(*(struct list_head *)arg1).prev
curthread->comm[arg1 - (uintptr_t)&curthread->comm]
this->t->pid|this->t = (struct task_struct *)arg1;
self->t->pid|self->t = (struct task_struct *)arg1;
t[1]->pid|t[1] = (struct task_struct *)arg1;
*(int *)arg1
END
