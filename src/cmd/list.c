/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What is told of probes and programs without tracing: -l and -v.
 */
#include <string.h>

#include "cmd/cmd_priv.h"

/* --- Stability ------------------------------------------------------------ */

static void
print_attribute(const char *what, dtrace_attribute_t a)
{
	fprintf(cmd_out, "\n\t%s Attributes\n"
		"\t\tIdentifier Names: %s\n"
		"\t\tData Semantics:   %s\n"
		"\t\tDependency Class: %s\n", what,
		dtrace_stability_name(a.dtat_name),
		dtrace_stability_name(a.dtat_data),
		dtrace_class_name(a.dtat_class));
}

static void
print_args(const dtrace_probedesc_t *d, int n)
{
	fputs("\n\tArgument Types\n", cmd_out);
	if (n <= 0)
		fputs("\t\tNone\n", cmd_out);
	for (int i = 0; i < n; i++) {
		const char *type = dtrace_probe_argtype(cmd_handle, d,
							(unsigned)i);
		fprintf(cmd_out, "\t\targs[%d]: %s\n", i,
			type ? type : "(unknown)");
	}
	fputs("\n", cmd_out);
}

static void
print_probe(dtrace_id_t id)
{
	dtrace_probedesc_t d = { .dtpd_id = id };
	dtrace_probeinfo_t info;

	if (dtrace_probe_info(cmd_handle, &d, &info))
		cmd_fatal("failed to look at probe %u", id);
	print_attribute("Probe Description", info.dtp_attr);
	print_attribute("Argument", info.dtp_arga);
	print_args(&d, info.dtp_argc);
}

int
cmd_desc_length(const char *arg)
{
	return (int)strcspn(arg, "{/");
}

void
cmd_print_program(const struct request *r)
{
	dtrace_proginfo_t info;

	dtrace_program_info(cmd_handle, r->prog, &info);
	if (r->spec == DTRACE_PROBESPEC_NONE)
		fprintf(cmd_out, "\nStability attributes for script %s:\n",
			r->arg);
	else
		fprintf(cmd_out, "\nStability attributes for description "
			"'%.*s':\n", cmd_desc_length(r->arg), r->arg);
	print_attribute("Minimum Probe Description", info.dpi_descattr);
	print_attribute("Minimum Statement", info.dpi_stmtattr);
	fputs("\n", cmd_out);
}

/* --- Listing -------------------------------------------------------------- */

static int
list_one(dtrace_hdl_t *h, const dtrace_probename_t *n, void *status)
{
	if (n->id == 0) {
		cmd_message("failed to match %s:%s:%s:%s: "
			    "No probe matches description", n->provider,
			    n->module, n->function, n->name);
		*(int *)status = E_FATAL;
		return 0;
	}
	fprintf(cmd_out, "%5u %10s %17s %33s %s\n", n->id,
		n->provider, n->module, n->function, n->name);
	if (cmd_verbose)
		print_probe(n->id);
	return 0;
}

/* What was meant perhaps by descriptions that match nothing: what the compiler
 * would say when they were to be enabled. */
static void
suggest(struct options *o, const struct request *r)
{
	const char *line;

	dtrace_setopt(cmd_handle, "zdefs", "off");
	if (r->spec != DTRACE_PROBESPEC_NONE &&
	    !dtrace_program_strcompile(cmd_handle, r->arg, r->spec, 0,
				       o->nargs, o->args)) {
		line = dtrace_errhint(cmd_handle);
		for (size_t n; *line; line += n + (line[n] != '\0')) {
			n = strcspn(line, "\n");
			fprintf(stderr, "hint: %.*s\n", (int)n, line);
		}
	}
	dtrace_setopt(cmd_handle, "zdefs", "on");
}

/* A description that matches nothing does not keep the others from being
 * listed; an empty one matches everything. */
int
cmd_list(struct options *o)
{
	int status = E_OK;

	for (int i = 0; i < o->nreqs; i++) {
		struct request *r = &o->reqs[i];
		if (r->spec != DTRACE_PROBESPEC_NONE && !*r->arg)
			*r = (struct request){ DTRACE_PROBESPEC_NAME, ":" };
		cmd_compile(o, r);
	}
	fprintf(cmd_out, "%5s %10s %17s %33s %s\n", "ID", "PROVIDER", "MODULE",
		"FUNCTION", "NAME");
	if (!o->nreqs && dtrace_probe_walk(cmd_handle, NULL,
					   DTRACE_PROBESPEC_NAME, list_one,
					   &status))
		cmd_fatal("failed to list probes");
	for (int i = 0; i < o->nreqs; i++) {
		int missing = E_OK;
		if (dtrace_program_walk(cmd_handle, o->reqs[i].prog, list_one,
					&missing))
			cmd_fatal("failed to list probes");
		if (missing != E_OK)
			suggest(o, &o->reqs[i]);
		status = missing != E_OK ? missing : status;
	}
	return status;
}
