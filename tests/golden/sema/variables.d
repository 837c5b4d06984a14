/* How variables come into being. */
int declared[string, int];
self string name;
this int vec[4];

BEGIN
{
	n++;
	total += 5;
	str = "abc";
	str = strjoin(str, execname);
	assoc["abc", pid] = arg0;
	assoc[execname, arg1]++;
	declared["x", 1] = 2;
	self->name = str;
	this->vec[1] = declared["x", 1];
	this->p = &curthread->parent->pid;
	trace(this->p ? *this->p : -1);
}
