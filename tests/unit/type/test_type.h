/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TEST_TYPE_H
#define TEST_TYPE_H

void test_layout_made_up(void **state);
void test_layout_nested(void **state);

#endif
