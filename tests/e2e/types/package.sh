# What the cases of packages (.dwp) share.

reads_packages() {
	python3 -c 'import ctypes; ctypes.CDLL("libdw.so.1").dwarf_cu_dwp_section_info' 2>/dev/null
}

# make_package: words, and its package.  Of DWARF 4: many a dwp crashes on newer versions.
make_package() {
	gcc -g -gdwarf-4 -gsplit-dwarf -O1 -c "$HERE/words.c" && gcc -o words words.o &&
		dwp -e words -o words.dwp && rm words.dwo
}
