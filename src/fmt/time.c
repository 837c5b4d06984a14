/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Dates.  Names are ours, not the locale's: output is the same everywhere.
 */
#include <time.h>

#include "fmt/field_priv.h"

static const char *const months[] = {
	"Jan", "Feb", "Mar", "Apr", "May", "Jun",
	"Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
};

static const char *const days[] = {
	"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat",
};

/* Whole seconds, toward the past. */
static time_t
seconds(int64_t ns)
{
	return ns / 1000000000 - (ns % 1000000000 < 0);
}

/* As the zone of TZ has it. */
static struct tm
local(int64_t ns)
{
	time_t t = seconds(ns);
	struct tm tm = { 0 };

	localtime_r(&t, &tm);
	return tm;
}

void
fmt_time(int64_t ns, struct sb *b)
{
	struct tm tm = local(ns);

	sb_printf(b, "%d %s %2d %02d:%02d:%02d", tm.tm_year + 1900,
		  months[tm.tm_mon], tm.tm_mday, tm.tm_hour, tm.tm_min,
		  tm.tm_sec);
}

void
fmt_time_zone(int64_t ns, struct sb *b)
{
	struct tm tm = local(ns);

	sb_printf(b, "%s, %02d %s %d %02d:%02d:%02d %s", days[tm.tm_wday],
		  tm.tm_mday, months[tm.tm_mon], tm.tm_year + 1900,
		  tm.tm_hour, tm.tm_min, tm.tm_sec,
		  tm.tm_zone ? tm.tm_zone : "");
}
