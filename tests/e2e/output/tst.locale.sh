# Bars are made of what the locale can show, unless an option says what of.
locale -a | grep -qi '^C\.utf-\?8$' || { echo 'no locale C.UTF-8'; exit 77; }
bars() {	# LOCALE [OPTION]
	LC_ALL=$1 "$DTRACE" ${2:+-x "$2"} -qn '
	BEGIN { @ = quantize(1); @ = quantize(2); @ = quantize(2); exit(0); }' |
		sed -n 's/ *$//; /|/p'
}
bars C
bars C.UTF-8
bars C encoding=utf8
bars C.UTF-8 encoding=ascii
