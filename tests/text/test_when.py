"""Times that a text names, against when it was said: sentences as people say them, and what only looks like a time."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.text.when import find_times

WEDNESDAY = datetime(2023, 6, 14, 10, 0, tzinfo=timezone(timedelta(hours=2)))
"""The anchor of every case that names none: Wednesday 14 June 2023, in Berlin."""


def said(text, anchor=WEDNESDAY, lang=""):
    """Each time as its label, behind its relation where that is not `at`."""
    found = find_times(text, anchor, lang)
    return [time.label if time.relation == "at" else f"{time.relation} {time.label}" for time in found]


def check(text, expected, anchor=WEDNESDAY, lang=""):
    assert said(text, anchor, lang) == [part for part in expected.split("; ") if part]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We met on 8 May 2023 in Porto.", "2023-05-08"),
        ("The contract was signed May 8, 2023.", "2023-05-08"),
        ("May 8th, 2023 was the launch", "2023-05-08"),
        ("on the 8th of May 2023", "2023-05-08"),
        ("the first of May 2021", "2021-05-01"),
        ("Mon 8 May 2023", "2023-05-08"),
        ("Monday, May 8, 2023", "2023-05-08"),
        ("released 2023-05-08", "2023-05-08"),
        ("released 2023/05/08, they say", "2023-05-08"),
        ("logged at 2023-05-08T14:30:00Z", "2023-05-08"),
        ("due on 31 Dec. 2024", "2024-12-31"),
        ("8.5.2023 in the ledger", "2023-05-08"),
        ("08.05.2023 in the ledger", "2023-05-08"),
        ("paid on 25/12/2022", "2022-12-25"),
        ("paid on 12/25/2022", "2022-12-25"),
        ("29 February 2024", "2024-02-29"),
        ("29 February 2023", "2023-02"),
        ("in May 2023", "2023-05"),
        ("May, 2023 was rough", "2023-05"),
        ("Sept 2020", "2020-09"),
        ("2023-05 was the best month", "2023-05"),
        ("the release of May '22", "2022-05"),
        ("she moved here in '19", "2019"),
        ("I was born in 1987", "1987"),
        ("In 2018, he gave everything away.", "2018"),
        ("the old driver (2019) still works", "2019"),
        ("back in the 1990s we had tapes", "1990/1999"),
        ("a song from the 80s", "since 1980/1989"),
        ("Q3 2024", "2024-07/2024-09"),
        ("in Q1 of 2022", "2022-01/2022-03"),
        ("the third quarter of 2021", "2021-07/2021-09"),
        ("summer 2022 was dry", "2022-06/2022-08"),
        ("in the winter of 2021", "2021-12/2022-02"),
        ("spring 2020", "2020-03/2020-05"),
        ("fall 2022", "2022-09/2022-11"),
        ("Christmas 2022", "2022-12-25"),
        ("on New Year's Eve 2021", "2021-12-31"),
        ("early May 2022", "2022-05"),
        ("end of June 2022", "2022-06"),
        ("mid-2022", "2022-05/2022-08"),
        ("late 2021", "2021-09/2021-12"),
        ("at the beginning of 2020", "2020-01/2020-04"),
        ("week 27 2024", "2024-07-01/2024-07-07"),
    ],
)
def test_dates_that_say_their_year(text, expected):
    check(text, expected)
    check(text, expected, anchor=None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I saw him yesterday.", "2023-06-13"),
        ("YESTERDAY we won", "2023-06-13"),
        ("yesterday evening", "2023-06-13"),
        ("today is fine", "2023-06-14"),
        ("Are you in tonight?", "2023-06-14"),
        ("this morning the pump failed", "2023-06-14"),
        ("last night I could not sleep", "2023-06-13"),
        ("see you tomorrow", "2023-06-15"),
        ("tomorrow morning at the station", "2023-06-15"),
        ("a week on Saturday we sail", "2023-06-24"),
        ("two weeks on Monday", "2023-07-03"),
        ("Saturday week we sail", "2023-06-24"),
        ("Thursday 13 till late", "2023-07-13"),
        ("the day before yesterday", "2023-06-12"),
        ("the day after tomorrow", "2023-06-16"),
        ("3 days ago", "2023-06-11"),
        ("I fell three days ago", "2023-06-11"),
        ("a week ago", "2023-06-07"),
        ("two weeks ago we sold it", "2023-05-31"),
        ("a month ago", "2023-05"),
        ("she left four months ago", "2023-02"),
        ("18 months ago", "2021-12"),
        ("five years ago", "2018"),
        ("a couple of days ago", "2023-06-12"),
        ("a few days ago", "2023-06-09/2023-06-12"),
        ("a decade ago", "2013"),
        ("two weekends ago", "2023-06-03/2023-06-04"),
        ("two Fridays ago", "2023-06-02"),
        ("two summers ago", "2021-06/2021-08"),
        ("the exam is in three days", "2023-06-17"),
        ("in two weeks I fly to Oslo", "2023-06-28"),
        ("in a month", "2023-07"),
        ("in 2 years", "2025"),
        ("ten days from now", "2023-06-24"),
        ("last week", "2023-06-05/2023-06-11"),
        ("this week is full", "2023-06-12/2023-06-18"),
        ("next week", "2023-06-19/2023-06-25"),
        ("last weekend", "2023-06-10/2023-06-11"),
        ("this weekend", "2023-06-17/2023-06-18"),
        ("next weekend", "2023-06-24/2023-06-25"),
        ("over the weekend we will paint", "2023-06-17/2023-06-18"),
        ("we painted over the weekend", "2023-06-10/2023-06-11"),
        ("last month", "2023-05"),
        ("this month", "2023-06"),
        ("next month", "2023-07"),
        ("last quarter", "2023-01/2023-03"),
        ("this quarter", "2023-04/2023-06"),
        ("last year", "2022"),
        ("next year", "2024"),
        ("last summer", "2022-06/2022-08"),
        ("this summer", "2023-06/2023-08"),
        ("next summer", "2024-06/2024-08"),
        ("last winter", "2022-12/2023-02"),
        ("last fall", "2022-09/2022-11"),
        ("last May", "2023-05"),
        ("last October", "2022-10"),
        ("next May", "2024-05"),
        ("this October", "2023-10"),
        ("last Friday", "2023-06-09"),
        ("last Wednesday", "2023-06-07"),
        ("next Tuesday", "2023-06-20"),
        ("this Saturday", "2023-06-17"),
        ("last Christmas", "2022-12-25"),
        ("next Christmas", "2023-12-25"),
        ("in the last 90 days", "2023-03-16/2023-06-14"),
        ("over the past two weeks", "2023-05-31/2023-06-14"),
        ("in the next 3 months", "2023-06-14/2023-09-14"),
        ("end of last year", "2022-09/2022-12"),
        ("by the end of the week", "until 2023-06-12/2023-06-18"),
        ("at the end of the month", "2023-06"),
    ],
)
def test_times_told_from_the_moment_of_speaking(text, expected):
    check(text, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We moved in May.", "2023-05"),
        ("We moved in July.", "2022-07"),
        ("We will move in July.", "2023-07"),
        ("We will move in May.", "2024-05"),
        ("What did you suggest for my trip in May?", "2023-05"),
        ("She starts in September", "2023-09"),
        ("in october I had the flu", "2022-10"),
        ("I passed the exam on 3 March", "2023-03-03"),
        ("We booked the hall for 3 March", "2024-03-03"),
        ("the wedding is 12 August", "2023-08-12"),
        ("he called on June 2nd", "2023-06-02"),
        ("Thursday 15 June", "2023-06-15"),
        ("Friday 14 June", "2024-06-14"),
        ("I called her on Monday", "2023-06-12"),
        ("she slept badly on Sunday night", "2023-06-11"),
        ("I will call her on Monday", "2023-06-19"),
        ("On Friday, I lost my keys", "2023-06-09"),
        ("ship it friday", "2023-06-16"),
        ("the plumber comes Thursday", "2023-06-15"),
        ("dinner on Saturday and Sunday", "2023-06-17/2023-06-18"),
        ("we can meet on the 20th", "2023-06-20"),
        ("I paid on the 8th.", "2023-06-08"),
        ("I am away until the 2nd", "until 2023-07-02"),
        ("the flight is Friday the 23rd", "2023-06-23"),
        ("in August, from the 3rd to the 10th", "2023-08; between 2023-08-03/2023-08-10"),
        ("it was hot in the summer", "2023-06/2023-08"),
        ("we met in spring", "2023-03/2023-05"),
        ("we go to Spain in autumn", "2023-09/2023-11"),
        ("she cried on Halloween", "2022-10-31"),
        ("mama comes for Christmas", "2023-12-25"),
        ("numbers for Q3 are due", "2023-07/2023-09"),
        ("due end of July", "2023-07"),
        ("garage sale on 6/24", "2023-06-24"),
    ],
)
def test_the_tense_decides_what_year_or_week_is_meant(text, expected):
    check(text, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I have worked there since 2021", "since 2021"),
        ("since last summer", "since 2022-06/2022-08"),
        ("COPD since 2017.", "since 2017"),
        ("she has been off since Monday", "since 2023-06-12"),
        ("ever since May 2022", "since 2022-05"),
        ("I've lived here for three years", "since 2020"),
        ("we have been married for 6 months", "since 2022-12"),
        ("until 4 July", "until 2023-07-04"),
        ("till Friday", "until 2023-06-16"),
        ("up to March 2020", "until 2020-03"),
        ("it must be done by Friday", "until 2023-06-16"),
        ("no later than 1 July 2023", "until 2023-07-01"),
        ("before May 2023", "before 2023-05"),
        ("before yesterday", "before 2023-06-13"),
        ("prior to 2020", "before 2020"),
        ("after 8 May 2023", "after 2023-05-08"),
        ("after Christmas 2022", "after 2022-12-25"),
        ("around 8 May 2023", "around 2023-05-08"),
        ("circa 2015", "around 2015"),
        ("starting next week", "since 2023-06-19/2023-06-25"),
        ("from 1 July on", "since 2023-07-01"),
        ("between May and July 2022", "between 2022-05/2022-07"),
        ("between 2016 and 2021", "between 2016/2021"),
        ("between 8 May 2023 and 3 June 2023", "between 2023-05-08/2023-06-03"),
        ("between July 2022 and May 2022", "between 2022-05/2022-07"),
        ("between last Friday and yesterday", "between 2023-06-09/2023-06-13"),
        ("from 5 to 13 July", "between 2023-07-05/2023-07-13"),
        ("from June to August 2022", "between 2022-06/2022-08"),
        ("27 April to 3 May 2022", "2022-04-27/2022-05-03"),
        ("from 27 December 2022 to 3 January", "between 2022-12-27/2023-01-03"),
        ("the course is Jul 15-19", "2023-07-15/2023-07-19"),
        ("closed 6–24 March 2023", "2023-03-06/2023-03-24"),
        ("22 and 23 July 2022", "2022-07-22/2022-07-23"),
        ("May and June 2021", "2021-05/2021-06"),
        ("2016-2021", "2016/2021"),
        ("from Monday to Thursday", "between 2023-06-19/2023-06-22"),
        ("the week before 9 June 2023", "2023-06-02/2023-06-08"),
        ("the week after 9 June 2023", "2023-06-10/2023-06-16"),
        ("the weekend before 9 June 2023", "2023-06-03/2023-06-04"),
        ("the day before 9 June 2023", "2023-06-08"),
        ("the month before May 2023", "2023-04"),
        ("the Friday before 9 June 2023", "2023-06-02"),
        ("the Sunday after 8 May 2023", "2023-05-14"),
        ("two days before Christmas 2022", "2022-12-23"),
        ("a week after 8 May 2023", "2023-05-15"),
        ("the week of 3 March 2023", "2023-02-27/2023-03-05"),
        ("the weekend of 8 May 2023", "2023-05-13/2023-05-14"),
        ("the first week of May 2023", "2023-05-01/2023-05-07"),
        ("the first weekend of August 2023", "2023-08-05/2023-08-06"),
        ("not before 25 March 2023", "before 2023-03-25"),
        ("three weeks before Christmas 2022", "2022-12-04"),
    ],
)
def test_what_stands_around_a_time(text, expected):
    check(text, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I quit in May 2022 and started again yesterday", "2022-05; 2023-06-13"),
        (
            "Last week Anna came, on Monday she left, and tomorrow I go too",
            "2023-06-05/2023-06-11; 2023-06-12; 2023-06-15",
        ),
        ("since 2019, except in May 2021 and last summer", "since 2019; 2021-05; 2022-06/2022-08"),
        ("not Tuesday 20 June but Thursday 22 June", "2023-06-20; 2023-06-22"),
    ],
)
def test_several_times(text, expected):
    check(text, expected)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "You may ask, if you like",
        "This may help",
        "it may rain",
        "We march on",
        "the march of progress",
        "April said hello to June and August",
        "I sat with Sun Li in the sun",
        "prices fall when demand drops",
        "the fall of Rome",
        "wait a second",
        "second, check the logs",
        "the second floor",
        "my first car",
        "v2.3 is out",
        "python 3.11",
        "version 2023.1 of the IDE",
        "upgrade to 8.11.3",
        "port 2024 is taken",
        "listening on 1984",
        "it costs $2023",
        "€2020 for both",
        "2,206 imports",
        "2000 users, 1999 of them active",
        "2048 bytes",
        "of 500, 1000, 2000, 5000 we took one",
        "in 2000 ms",
        "ticket SEC-118 and PY-31",
        "commit 2023abc",
        "he is 10 years old",
        "the Friday after: my place",
        "the Friday before the exam",
        "Thursday 19 till late",
        "she turned 70",
        "a 3 year old boy",
        "three times a week",
        "every Friday",
        "each Monday and every May",
        "on Tuesdays and Thursdays",
        "every day",
        "it took three days",
        "we did it in three days",
        "24/7 support",
        "3/4 of a cup",
        "a 50/50 chance",
        "1,200 words at 10% off",
        "call 555-1234",
        "192.168.1.12",
        "2023-13",
        "2023-02-30",
        "2023-00-07",
        "the last time",
        "the last day of school",
        "next to the door",
        "the 3rd attempt",
        "on the 8th floor",
        "4th grade",
        "from scratch to done",
        "before lunch",
        "in Mayfair",
        "marching orders",
        "Augusta called",
        "once upon a time",
        "I like winters and long summers",
        "since you ask",
        "by the way",
        "a day like any other",
        "at 10:30",
    ],
)
def test_what_only_looks_like_a_time(text):
    check(text, "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Portuguese
        ("ontem fui ao cinema", "2023-06-13"),
        ("anteontem choveu muito", "2023-06-12"),
        ("amanhã eu ligo", "2023-06-15"),
        ("me mudei em 8 de maio de 2023", "2023-05-08"),
        ("nasci em maio de 1987", "1987-05"),
        ("comprei há três dias", "2023-06-11"),
        ("na semana passada", "2023-06-05/2023-06-11"),
        ("no mês que vem", "2023-07"),
        ("no ano passado fui a Lisboa", "2022"),
        ("trabalho lá desde 2019", "since 2019"),
        ("vou viajar de 5 a 13 de julho", "2023-07-05/2023-07-13"),
        ("daqui a duas semanas", "2023-06-28"),
        ("na próxima sexta", "2023-06-16"),
        ("saímos dia 20", "2023-06-20"),
        # Spanish
        ("ayer fuimos al mar", "2023-06-13"),
        ("mañana te llamo", "2023-06-15"),
        ("el 8 de mayo de 2023", "2023-05-08"),
        ("hace dos meses que no la veo", "2023-04"),
        ("la semana pasada estuve enfermo", "2023-06-05/2023-06-11"),
        ("el próximo lunes", "2023-06-19"),
        ("el viernes pasado", "2023-06-09"),
        ("vivo aquí desde 2018", "since 2018"),
        ("hasta el 4 de julio", "until 2023-07-04"),
        ("en octubre vamos a Roma", "2023-10"),
        ("el año que viene", "2024"),
        # German
        ("gestern war ich krank", "2023-06-13"),
        ("vorgestern kam er an", "2023-06-12"),
        ("morgen fahre ich nach Bonn", "2023-06-15"),
        ("am 8. Mai 2023 haben wir geheiratet", "2023-05-08"),
        ("vor drei Tagen", "2023-06-11"),
        ("letzten Freitag", "2023-06-09"),
        ("nächste Woche bin ich weg", "2023-06-19/2023-06-25"),
        ("seit drei Jahren Vegetarier", "since 2020"),
        ("ich bin bis 4. Juli im Urlaub", "until 2023-07-04"),
        ("ab 1. Februar in Elternzeit", "since 2024-02-01"),
        ("zwischen Mai und Juli 2022", "between 2022-05/2022-07"),
        ("am Freitagabend", "2023-06-16"),
        ("im letzten Sommer", "2022-06/2022-08"),
        ("vor dem 4. Juli 2023", "before 2023-07-04"),
        # French
        ("hier nous avons dîné chez elle", "2023-06-13"),
        ("demain c'est férié", "2023-06-15"),
        ("le 8 mai 2023", "2023-05-08"),
        ("il y a trois jours", "2023-06-11"),
        ("la semaine dernière", "2023-06-05/2023-06-11"),
        ("le mois prochain", "2023-07"),
        ("je vis ici depuis 2018", "since 2018"),
        ("depuis trois ans", "since 2020"),
        ("jusqu'au 4 juillet", "until 2023-07-04"),
        ("vendredi dernier", "2023-06-09"),
        ("du 5 au 13 juillet 2023", "2023-07-05/2023-07-13"),
        ("elle a été malade", ""),
        # Chinese and Japanese
        ("昨日は雨でした", "2023-06-13"),
        ("今日は休みです", "2023-06-14"),
        ("明日行きます", "2023-06-15"),
        ("先週の金曜日", "2023-06-09"),
        ("来月から転職する", "since 2023-07"),
        ("去年の夏に行った", "2022-06/2022-08"),
        ("2023年5月8日に生まれた", "2023-05-08"),
        ("3日前に買った", "2023-06-11"),
        ("我昨天去了", "2023-06-13"),
        ("明天见", "2023-06-15"),
        ("上周五拿到了", "2023-06-09"),
        ("下个月搬家", "2023-07"),
        ("去年买的", "2022"),
        ("2023 年 5 月 8 号", "2023-05-08"),
        ("三天前", "2023-06-11"),
        ("2025年2月之后可以删", "after 2025-02"),
    ],
)
def test_other_languages(text, expected):
    check(text, expected)


@pytest.mark.parametrize(
    ("text", "expected", "clock"),
    [
        ("on 3 March 2023 at 10am", "2023-03-03", "10:00"),
        ("tomorrow at 14:30", "2023-06-15", "14:30"),
        ("10:15 on Friday", "2023-06-16", "10:15"),
        ("Friday at 7 pm", "2023-06-16", "19:00"),
        ("yesterday at 12:30 am", "2023-06-13", "00:30"),
        ("lundi matin à 8h", "2023-06-19", "08:00"),
        ("morgen um 9 Uhr", "2023-06-15", "09:00"),
        ("in May 2023 at 10:00", "2023-05", ""),
    ],
)
def test_a_clock_belongs_to_a_single_day(text, expected, clock):
    (time,) = find_times(text, WEDNESDAY)
    assert (time.label, time.clock) == (expected, clock)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("yesterday", ""),
        ("last Friday", ""),
        ("3 days ago", ""),
        ("since last summer", ""),
        ("the week before tomorrow", ""),
        ("in May", "--05"),
        ("last May", "--05"),
        ("on 8 May", "--05-08"),
        ("until 8 May", "--05-08"),
        ("昨日", ""),
        ("5月8日", "--05-08"),
    ],
)
def test_without_an_anchor_nothing_is_today(text, known):
    (time,) = find_times(text)
    assert (time.start, time.end) == (known, known)
    assert time.needs_anchor


def test_the_anchors_own_day_counts():
    late = datetime(2023, 6, 14, 23, 30, tzinfo=timezone(timedelta(hours=-5)))
    assert said("yesterday", late) == ["2023-06-13"]
    assert said("yesterday", late.astimezone(UTC)) == ["2023-06-14"]
    assert said("yesterday", date(2023, 1, 1)) == ["2022-12-31"]


@pytest.mark.parametrize(
    ("hours", "text", "lang", "expected"),
    [
        (-5, "on 5/8/2023", "en", "2023-05-08"),
        (0, "on 5/8/2023", "en", "2023-05-08"),
        (2, "on 5/8/2023", "en", "2023-08-05"),
        (-5, "em 5/8/2023", "pt", "2023-08-05"),
        (-5, "on 5.8.2023", "en", "2023-08-05"),
        (-5, "on 25/8/2023", "en", "2023-08-25"),
    ],
)
def test_which_of_two_numbers_is_the_month(hours, text, lang, expected):
    check(text, expected, datetime(2023, 6, 14, tzinfo=timezone(timedelta(hours=hours))), lang)


def test_what_a_mention_tells_besides():
    text = "We met around 8 May 2023, and again a few days ago"
    first, second = find_times(text, WEDNESDAY)
    assert text[first.start_char : first.end_char] == first.text == "around 8 May 2023"
    assert (first.relation, first.precision, first.approximate, first.needs_anchor) == ("around", "day", True, False)
    assert (second.text, second.approximate, second.needs_anchor) == ("a few days ago", True, True)
    assert [time.precision for time in find_times("in 2021, in May 2022, on 8 May 2022")] == ["year", "month", "day"]


PIECES = """
    May march 8 8th the of in on since until before after between and to - 2023 '23
    2023-05-08 31 0 99 last next this Friday ago days week weekend months year summer Q3
    early end . , : ( ) every a few yesterday 10:30 am ontem há 3 dias gestern vor Tagen
    am 8. Mai hier il y a mañana 昨日 2023年5月8日 先週の金曜日 9999 0001 4 31 February
""".split()


@given(
    st.text() | st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join),
    st.none() | st.dates() | st.datetimes(timezones=st.just(UTC)),
)
def test_any_text_gives_times_inside_it(text, anchor):
    ends = 0
    for time in find_times(text, anchor):
        assert ends <= time.start_char < time.end_char <= len(text)
        assert text[time.start_char : time.end_char] == time.text
        assert time.start <= time.end
        assert len(time.start) == len(time.end)
        assert anchor is not None or not time.needs_anchor or time.start.startswith("--") or not time.start
        ends = time.end_char
