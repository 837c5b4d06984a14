/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Whose variables a firing sees at a tracepoint that threads and interrupts come
 * by: sched_waking, when one of our threads is woken
 *
 *	by another's write to a pipe	in that thread
 *	by another's datagram		in a softirq, as it is delivered at once
 *	by a timer			in an interrupt
 *
 * while one of ours runs.  What the first adds to self-> is small, and what the
 * others add is large: neither may see what the other has added.
 *
 * Who waits for a lock of a real-time kernel is woken, too, by who had it: those wakes are
 * none of these three, and the thread's state tells them apart.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "prov/ops.h"
#include "session/session_priv.h"
#include "support/loads.h"
#include "support/pin.h"

static void
must(struct err *e, const char *what)
{
	if (!e)
		return;
	printf("Bail out! %s: %s\n", what, e->text);
	exit(1);
}

/* --- runs:::wake: arg0 is who is woken, arg1 the state it sleeps in --------- */

#define INTERRUPTIBLE 1

static struct abi_point point = {
	.attach = ABI_ATTACH_RAWTP, .find = ABI_FIND_ONE,
	.target = "sched_waking",
	.args = { { .kind = ABI_ARG_KMEM, .size = 4 }, { .kind = ABI_ARG_KMEM, .size = 4 } },
};

static struct err *
discover(struct prov_set *s, const struct probe_desc *d,
	 struct prov_sink *sink)
{
	return prov_add(sink, &(struct prov_new){ .name = "wake" });
}

static struct err *
sites(struct prov_set *s, const struct probe *p, prov_site_fn *fn, void *ctx)
{
	return fn(ctx, &(struct prov_site){ .point = &point,
					    .trigger = PROV_TRIGGER_RAWTP });
}

static const struct prov_ops provider = {
	.name = "runs", .discover = discover, .sites = sites,
};

/* --- Who is woken ------------------------------------------------------------- */

enum { BY_PIPE, BY_DATAGRAM, BY_TIMER, NWAYS, ROUNDS = 20 };

static int from[2], to[2];	/* a pipe's ends; sockets */
static volatile pid_t tids[NWAYS];

static void *
sleeper(void *arg)
{
	unsigned way = (unsigned)(uintptr_t)arg;
	char c;

	/* In real-time kernels a thread serves the timers of other threads. */
	if (way == BY_TIMER)
		pthread_setschedparam(pthread_self(), SCHED_FIFO,
				      &(struct sched_param){ 1 });
	tids[way] = (pid_t)syscall(SYS_gettid);
	for (;;) {
		if (way == BY_TIMER)
			nanosleep(&(struct timespec){ 0, 500000 }, NULL);
		else if (read(from[way], &c, 1) != 1)
			return NULL;
	}
}

static bool
open_ways(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET,
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(a);
	int ends[2];

	if (pipe(ends))
		return false;
	from[BY_PIPE] = ends[0];
	to[BY_PIPE] = ends[1];
	from[BY_DATAGRAM] = socket(AF_INET, SOCK_DGRAM, 0);
	to[BY_DATAGRAM] = socket(AF_INET, SOCK_DGRAM, 0);
	return !bind(from[BY_DATAGRAM], (struct sockaddr *)&a, sizeof(a)) &&
	       !getsockname(from[BY_DATAGRAM], (struct sockaddr *)&a, &size) &&
	       !connect(to[BY_DATAGRAM], (struct sockaddr *)&a, sizeof(a));
}

static void
start(void)
{
	pthread_t t;

	for (uintptr_t i = 0; i < NWAYS; i++) {
		must(pthread_create(&t, NULL, sleeper, (void *)i)
		     ? &err_nomem : NULL, "a thread");
		while (!tids[i])
			sched_yield();
	}
}

/* Wake those that wait, and run while the timer's does. */
static void
wake_all(void)
{
	for (volatile unsigned i = 0; i < 1000000; i++)
		;
	usleep(1000);
	for (unsigned i = 0; i < BY_TIMER; i++)
		if (write(to[i], "x", 1) != 1)
			must(&err_nomem, "nobody can be woken");
}

/* --- Tests -------------------------------------------------------------------- */

struct seen {
	unsigned n[NWAYS], mixed[NWAYS];
};

/* trace(way); trace(value) */
static struct err *
note(void *ctx, const struct consume_event *e)
{
	struct seen *s = ctx;
	const struct abi_field *f;
	int64_t way, value;

	if (e->kind != CONSUME_RECORD || e->epid->desc->nfields != 2)
		return NULL;
	f = e->epid->desc->fields;
	memcpy(&way, (const char *)e->record + f[0].offset, sizeof(way));
	memcpy(&value, (const char *)e->record + f[1].offset, sizeof(value));
	s->n[way]++;
	s->mixed[way] += way == BY_PIPE ? value >= 1 << 20
					: value & ((1 << 20) - 1);
	return NULL;
}

static void
trace(const char *variable, struct seen *seen)
{
	static const char *const args[] = { "runs" };
	static const char *const words[] = { "pid", "__state" };
	const struct diag_list *diags;
	enum session_status status;
	struct session_prog *p;
	struct session *s;
	char text[1024] = "";
	uint32_t off, size;

	for (unsigned i = 0; i < NWAYS; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "runs:::wake /pid == %d && arg0 == %d && arg1 & %d/ {"
			 "%s += %d; trace((int64_t)%u);"
			 "trace((int64_t)%s); }\n", getpid(), tids[i],
			 INTERRUPTIBLE, variable, i == BY_PIPE ? 1 : 1 << 20, i, variable);
	must(session_new(&s), "a session");
	must(prov_set_add(s->prov, &provider), "the provider");
	for (unsigned i = 0; i < BASE_NELEMS(words); i++) {
		must(typedb_offset(s->types, "task_struct", words[i], &off, &size),
		     "the kernel's types");
		point.args[i].off = off;
	}
	must(session_compile(s, NULL, text, strlen(text), PROBE_SPEC_NAME, 0,
			     args, 1, &diags, &p), text);
	must(session_enable(s, p), "enabling");
	must(session_go(s), "loading");
	for (unsigned i = 0; i < ROUNDS; i++) {
		wake_all();
		must(session_step(s, note, seen, &status), "reading");
	}
	must(session_stop(s), "stopping");
	must(session_drain(s, note, seen), "the rest");
	session_free(s);
}

int
main(void)
{
	static const char *const variables[] = { "self->x", "self->a[0]" };
	static const char *const ways[] = { "a pipe", "a datagram",
					    "a timer" };
	struct err *e = kern_may_trace();

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (e && kernel_loads()) {
		printf("Bail out! the kernel loads programs: %s\n", e->text);
		return 1;
	}
	if (e || !open_ways()) {
		printf("1..0 # skip %s\n", e ? e->text : "no network");
		return 0;
	}
	/* So that wakes are not passed on to another CPU, and timers find us. */
	pin();
	start();
	puts("1..6");
	for (unsigned v = 0; v < 2; v++) {
		struct seen seen = { 0 };
		trace(variables[v], &seen);
		for (unsigned i = 0; i < NWAYS; i++)
			printf("%sok %u - %s, by %s # %u seen, %u mixed\n",
			       seen.n[i] && !seen.mixed[i] ? "" : "not ",
			       v * NWAYS + i + 1, variables[v], ways[i],
			       seen.n[i], seen.mixed[i]);
	}
	return 0;
}
