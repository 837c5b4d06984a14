# SPDX-License-Identifier: BSD-2-Clause
"""Aggregations as dicts."""
from __future__ import annotations

from typing import Dict, List, NamedTuple, Optional, Tuple, Union

INT64_MIN, INT64_MAX = -2**63, 2**63 - 1
FUNCTIONS = {0x701: 'count', 0x702: 'min', 0x703: 'max', 0x704: 'avg', 0x705: 'sum',
             0x706: 'stddev', 0x707: 'quantize', 0x708: 'lquantize', 0x709: 'llquantize'}


class Bucket(NamedTuple):
    """Counts what is from low to high, both included; None: there is no end."""
    low: Optional[int]
    high: Optional[int]
    count: int  # type: ignore[assignment]  # not the tuple's method


class Histogram(List[Bucket]):
    """The buckets that are not empty, from the lowest on."""

    @property
    def count(self) -> int:  # type: ignore[override]
        return sum(b.count for b in self)


class Row(NamedTuple):
    """An element: what its function keeps besides the value that is shown."""
    key: Tuple[object, ...]
    value: Union[int, Histogram]
    count: int  # type: ignore[assignment]
    sum: int


class Aggregation(Dict[object, Union[int, Histogram]]):
    """A snapshot: key -> number, or Histogram.

    The key is the value itself where there is one, else a tuple; () without
    keys.  The order is that in which dtrace(8) would print.
    """
    name: str
    id: int
    function: str               # "count"
    normal: int                 # what normalize() divides by; 1: nothing
    key_names: Tuple[Optional[str], ...]
    rows: List[Row]

    def add(self, row: Row) -> None:
        self.rows.append(row)
        self[row.key[0] if len(row.key) == 1 else row.key] = row.value

    @property
    def value(self) -> Union[int, Histogram, None]:
        """Of an aggregation without keys; None: nothing was aggregated."""
        return self.get(())

    def __repr__(self) -> str:
        return f'<@{self.name} {self.function} {dict.__repr__(self)}>'
