/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The files of web/, as texts that the build makes of them (tools/embed).
 */
#ifndef FMT_WEB_H
#define FMT_WEB_H

extern const char fmt_page_html[], fmt_page_css[];
extern const char fmt_flame_html[], fmt_flame_css[], fmt_flame_js[];
extern const char fmt_tables_css[], fmt_heat_css[];

#endif
