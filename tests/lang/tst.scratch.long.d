/* flags: -q
 * A statement gives back the scratch that it used, so a long clause does not
 * run out: 40 statements of 4 strings each, a row and a key of many. */
string s;

BEGIN
{
	s = "";
	s = substr(strjoin(strjoin(s, "-"), lltostr(0)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(1)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(2)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(3)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(4)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(5)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(6)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(7)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(8)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(9)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(10)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(11)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(12)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(13)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(14)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(15)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(16)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(17)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(18)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(19)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(20)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(21)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(22)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(23)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(24)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(25)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(26)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(27)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(28)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(29)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(30)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(31)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(32)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(33)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(34)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(35)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(36)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(37)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(38)), -20);
	s = substr(strjoin(strjoin(s, "-"), lltostr(39)), -20);
	printf("%s\n", s);
	printf("%s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s\n",
	    lltostr(0), lltostr(1), lltostr(2), lltostr(3), lltostr(4), lltostr(5),
	    lltostr(6), lltostr(7), lltostr(8), lltostr(9), lltostr(10), lltostr(11),
	    lltostr(12), lltostr(13), lltostr(14), lltostr(15), lltostr(16), lltostr(17),
	    lltostr(18), lltostr(19), lltostr(20), lltostr(21), lltostr(22), lltostr(23),
	    lltostr(24), lltostr(25), lltostr(26), lltostr(27), lltostr(28), lltostr(29),
	    lltostr(30), lltostr(31), lltostr(32), lltostr(33), lltostr(34), lltostr(35),
	    lltostr(36), lltostr(37), lltostr(38), lltostr(39), lltostr(40), lltostr(41),
	    lltostr(42), lltostr(43), lltostr(44), lltostr(45), lltostr(46), lltostr(47));
	@[
	    lltostr(0), lltostr(1), lltostr(2), lltostr(3), lltostr(4), lltostr(5),
	    lltostr(6), lltostr(7), lltostr(8), lltostr(9), lltostr(10), lltostr(11),
	    lltostr(12), lltostr(13), lltostr(14), lltostr(15), lltostr(16), lltostr(17),
	    lltostr(18), lltostr(19), lltostr(20), lltostr(21), lltostr(22), lltostr(23),
	    lltostr(24), lltostr(25), lltostr(26), lltostr(27), lltostr(28), lltostr(29),
	    lltostr(30), lltostr(31), lltostr(32), lltostr(33), lltostr(34), lltostr(35),
	    lltostr(36), lltostr(37), lltostr(38), lltostr(39), lltostr(40), lltostr(41),
	    lltostr(42), lltostr(43), lltostr(44), lltostr(45), lltostr(46), lltostr(47)] = count();
	printa("%s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %@d\n", @);
	exit(0);
}
