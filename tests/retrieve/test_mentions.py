"""Which month a question names, and which words only look like one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.retrieve.mentions import month


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("What happened in May 2023?", "2023-05"),
        ("in May, 2023", "2023-05"),
        ("May 7, 2023", "2023-05"),
        ("on May 7th, 2023", "2023-05"),
        ("What did she say on 7 May 2023?", "2023-05"),
        ("the 7th of May", "--05"),
        ("on 3 March", "--03"),
        ("on March 3", "--03"),
        ("on the 1st of September 2024", "2024-09"),
        ("on 22nd Dec", "--12"),
        ("2023-05", "2023-05"),
        ("since 2023-05-07", "2023-05"),
        ("between 2023-12 and 2024-01", "2023-12"),
        ("on 2023-05-07T10:00", "2023-05"),
        ("in january", "--01"),
        ("in Jan. 2022", "2022-01"),
        ("IN FEBRUARY", "--02"),
        ("during March", "--03"),
        ("since April", "--04"),
        ("until June", "--06"),
        ("by July", "--07"),
        ("from Aug 2021 on", "2021-08"),
        ("early September", "--09"),
        ("in sept", "--09"),
        ("late-October", "--10"),
        ("mid-November", "--11"),
        ("last December", "--12"),
        ("this June", "--06"),
        ("this May 2024", "2024-05"),
        ("June 2020 was hot", "2020-06"),
        ("May: why did we drop redis", "--05"),
        ("BookMinder in May: make the tests run", "--05"),
        ("in March 2023 or in May 2024", "2023-03"),
        ("in May 2022, not 2023-06", "2022-05"),
        ("April said so in June", "--06"),
        ("2023-06, not May 2022", "2023-06"),
        # -- no month --
        ("", ""),
        ("2023-13", ""),
        ("2023-00-07", ""),
        ("version 12023-05", ""),
        ("build 2023-051", ""),
        ("may I ask", ""),
        ("you may, if you like", ""),
        ("this may be wrong", ""),
        ("This may help", ""),
        ("march on", ""),
        ("the march of progress", ""),
        ("April said", ""),
        ("June and Augusta", ""),
        ("an august person", ""),
        ("in Mayfair", ""),
        ("in decent shape", ""),
        ("in marching order", ""),
        ("by separate mail", ""),
        ("what did Caroline buy in 2023", ""),
    ],
)
def test_months(text, named):
    assert month(text) == named


@given(st.text())
def test_any_text_names_one_month_or_none(text):
    named = month(text)
    assert named == "" or 1 <= int(named[-2:]) <= 12
