/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The fsinfo provider: what is done to files, whatever file system they are in.
 *
 * These are operations as system calls ask for them, when they have been done: the
 * kernel has no tracepoint in front of its file systems.  So what it does for
 * itself (to start a program, to fill a page that is mapped) is not among them.
 * An operation on a descriptor has the file; one on a name, what the call was
 * given (struct filename stands for either in io.d).
 */
#include "prov/prov_priv.h"
#include "prov/derive.h"

/* What a call returns is arg0, and its arguments are arg1 to arg6.  args[1] is the
 * result: bytes, or 0, or what failed, as a negative errno. */
#define TYPES "struct filename * > fileinfo_t *; int"
#define FILE_OF(fd) "__file_of[(int)" fd "]"

/* Of the file behind the descriptor that is argument fd, if there is one. */
#define ON_FD(call, fd, when, result) \
	{ DERIVE_RETURN, call, FILE_OF(fd) " != NULL" when, \
	  FILE_OF(fd) "; " result }
#define FD(call) ON_FD(call, "arg1", "", "arg0")
#define FD_IF(call, when) ON_FD(call, "arg1", " && " when, "arg0")

/* Of the file of the name that is argument name. */
#define NAME(call, name) { DERIVE_RETURN, call, NULL, name "; arg0" }
#define NAME_IF(call, name, when) { DERIVE_RETURN, call, when, name "; arg0" }

/* The file that a call has opened. */
#define OPENED(call) { DERIVE_RETURN, call, "(int64_t)arg0 >= 0", \
	FILE_OF("arg0") "; 0" }
/* FMODE_CREATED: it was not there before. */
#define CREATED(call) { DERIVE_RETURN, call, \
	"(int64_t)arg0 >= 0 && " FILE_OF("arg0") "->f_mode & 0x100000", \
	FILE_OF("arg0") "; 0" }

/* AT_EMPTY_PATH with a flag, AT_REMOVEDIR. */
#define BY_FD(flags) flags " & 0x1000"
#define RMDIR(flags) flags " & 0x200"
#define NOT_RMDIR(flags) "(" flags " & 0x200) == 0"

/* F_SETLK and its like. */
#define LOCKS "((int)arg2 >= 5 && (int)arg2 <= 7 || (int)arg2 >= 36 && (int)arg2 <= 38)"
#define F_SETFL "(int)arg2 == 4"

/* MAP_ANONYMOUS; the result is how much was asked for. */
#define MAP_OF "((int)arg4 & 0x20) == 0"

static const struct derive_probe probes[] = {
	{ "open", TYPES, {
		OPENED("open"), OPENED("openat"), OPENED("openat2"),
		OPENED("creat"),
	} },
	{ "create", TYPES, {
		CREATED("open"), CREATED("openat"), CREATED("openat2"),
		CREATED("creat"),
	} },
	{ "close", TYPES, {
		{ DERIVE_CALL, "close", FILE_OF("arg0") " != NULL",
		  FILE_OF("arg0") "; 0" },
	} },
	{ "read", TYPES, {
		FD("read"), FD("pread64"), FD("readv"), FD("preadv"),
		FD("preadv2"), ON_FD("sendfile", "arg2", "", "arg0"),
		FD("copy_file_range"),
	} },
	{ "write", TYPES, {
		FD("write"), FD("pwrite64"), FD("writev"), FD("pwritev"),
		FD("pwritev2"), FD("sendfile"),
		ON_FD("copy_file_range", "arg3", "", "arg0"),
	} },
	{ "seek", TYPES, {
		/* A place may be beyond an int: only what failed is told. */
		ON_FD("lseek", "arg1", "",
		      "(int64_t)arg0 < 0 ? (int64_t)arg0 : 0"),
	} },
	{ "ioctl", TYPES, { FD("ioctl") } },
	{ "setfl", TYPES, { FD_IF("fcntl", F_SETFL) } },
	{ "frlock", TYPES, { FD_IF("fcntl", LOCKS), FD("flock") } },
	{ "readdir", TYPES, { FD("getdents64"), FD("getdents") } },
	{ "fsync", TYPES, { FD("fsync"), FD("fdatasync") } },
	{ "space", TYPES, {
		FD("ftruncate"), FD("fallocate"), NAME("truncate", "arg1"),
	} },
	{ "map", TYPES, {
		ON_FD("mmap", "arg5", " && " MAP_OF,
		      "(int64_t)arg0 < 0 && (int64_t)arg0 >= -4095 ? arg0 : arg2"),
	} },
	{ "getattr", TYPES, {
		FD("fstat"), NAME("stat", "arg1"), NAME("lstat", "arg1"),
		{ DERIVE_RETURN, "newfstatat", NULL, "(int)" BY_FD("arg4")
		  " ? (struct filename *)" FILE_OF("arg1")
		  " : (struct filename *)arg2; arg0" },
		{ DERIVE_RETURN, "statx", NULL, "(int)" BY_FD("arg3")
		  " ? (struct filename *)" FILE_OF("arg1")
		  " : (struct filename *)arg2; arg0" },
	} },
	{ "setattr", TYPES, {
		FD("fchmod"), FD("fchown"), NAME("chmod", "arg1"),
		NAME("chown", "arg1"), NAME("lchown", "arg1"),
		NAME("fchmodat", "arg2"), NAME("fchownat", "arg2"),
		{ DERIVE_RETURN, "utimensat", NULL, "arg2 == 0"
		  " ? (struct filename *)" FILE_OF("arg1")
		  " : (struct filename *)arg2; arg0" },
		NAME("utimes", "arg1"), NAME("utime", "arg1"),
	} },
	{ "access", TYPES, {
		NAME("access", "arg1"), NAME("faccessat", "arg2"),
		NAME("faccessat2", "arg2"),
	} },
	{ "mkdir", TYPES, { NAME("mkdir", "arg1"), NAME("mkdirat", "arg2") } },
	{ "rmdir", TYPES, {
		NAME("rmdir", "arg1"),
		NAME_IF("unlinkat", "arg2", RMDIR("arg3")),
	} },
	{ "remove", TYPES, {
		NAME("unlink", "arg1"),
		NAME_IF("unlinkat", "arg2", NOT_RMDIR("arg3")),
	} },
	/* The name that there was before; of links, what is made. */
	{ "rename", TYPES, {
		NAME("rename", "arg1"), NAME("renameat", "arg2"),
		NAME("renameat2", "arg2"),
	} },
	{ "link", TYPES, { NAME("link", "arg2"), NAME("linkat", "arg4") } },
	{ "symlink", TYPES, {
		NAME("symlink", "arg2"), NAME("symlinkat", "arg3"),
	} },
	{ "readlink", TYPES, {
		NAME("readlink", "arg1"), NAME("readlinkat", "arg2"),
	} },
};

DERIVE(fsinfo, "fsinfo", probes, PROV_ATTR_EVOLVING);
