# What the cases of packages (.dwp) share.

reads_packages() {
	python3 -c 'import ctypes; ctypes.CDLL("libdw.so.1").dwarf_cu_dwp_section_info' 2>/dev/null
}

# make_package VERSION: words with DWARF of that version, and its package.  That of binutils,
# which newer ones are without, makes none of version 5, and crashes.
make_package() {
	local tool
	gcc -g -gdwarf-$1 -gsplit-dwarf -O1 -c "$HERE/words.c" && gcc -o words words.o || return
	for tool in llvm-dwp dwp; do
		rm -f words.dwp
		(command -v $tool && $tool -e words -o words.dwp) >/dev/null 2>&1 &&
			rm words.dwo && return
	done
	echo "nothing makes a package of DWARF $1"
	return 1
}
