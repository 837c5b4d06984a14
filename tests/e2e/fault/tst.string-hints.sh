# needs: python3
# A string that cannot be read: once for each clause it is said why.
program='
import ctypes
call = ctypes.CDLL(None).syscall
for i in range(3):
	call(257, -100, ctypes.c_void_p(0x10000), 0)	# openat
	call(257, -100, None, 0)
	call(86, ctypes.c_void_p(0x10000), b"/")	# link
'
[ "$(uname -m)" = x86_64 ] || { echo "numbers of other calls"; exit 77; }
echo "$program" >program.py

# hints PROGRAM: the hints, if there were errors at all.
hints() {
	"$DTRACE" -qn "$1" -c 'python3 program.py' >out 2>err
	sed -n 's/^hint: //p' err
	grep -q '^dtrace: error' err && echo faulted
}

bad='/pid == $target && arg1 == 0x10000/'
hints "syscall::open*:entry $bad { trace(copyinstr(arg0)); }
	syscall::openat:entry $bad { trace(basename(stringof(copyin(arg0, 4)))); }"
hints "syscall::openat:entry $bad { trace(1); @[copyinstr(arg1)] = count(); }"
hints 'syscall::link:entry /pid == $target && arg0 == 0x10000 &&
	strlen(copyinstr(args[0])) > 1/ { trace(1); }'
hints "syscall::openat:entry $bad { self->p = arg1; }
	syscall::openat:return /self->p/ { trace(copyinstr(arg0)); }"

# What was kept for a path is the folder.
hints "syscall::open*:entry $bad { self->p = arg0; }
	syscall::open*:return /self->p/ { trace(copyinstr(self->p)); self->p = 0; }"

# Nothing is known of these.
hints 'syscall::openat:entry /pid == $target && arg1 == 0/
	{ trace(copyinstr(arg1)); }'
hints "syscall::openat:entry $bad { trace(copyinstr(arg1 + 1)); }"
hints "syscall::openat:entry $bad { self->p = arg1; }
	syscall::openat:return /self->p/
	{ trace(copyinstr(self->p)); self->p = 0; }"
