/* Args[] outside of a clause. */
inline int first = args[0];
