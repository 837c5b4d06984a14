/* sema.diags: what is said of the rows of unit/sema/errors.def. */
BEGIN { }
