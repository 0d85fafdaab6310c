"""Times in Chinese and Japanese, which are written without spaces: one pattern, no tokens."""

import re
from datetime import date
from functools import cache

from memlite.text.when import calendar
from memlite.text.when.calendar import Period, add, one_day, unit_of
from memlite.text.when.reading import OpenError, Reading, day_near, which_year
from memlite.text.when.tokens import Token
from memlite.types.times import Relation

_DAYS = {
    **dict.fromkeys("一昨日 おととい 前天".split(), -2),
    **dict.fromkeys("昨日 昨夜 昨晩 昨天 昨晚 きのう ゆうべ".split(), -1),
    **dict.fromkeys("今日 今朝 今夜 今晩 本日 今天 今晚 今早 きょう".split(), 0),
    **dict.fromkeys("明日 明朝 明天 明晚 明早 あした".split(), 1),
    **dict.fromkeys("明後日 あさって 后天 後天".split(), 2),
}
_SHIFTS = {
    **dict.fromkeys("先々 先先 上上 上上个 上上個 一昨 前".split(), -2),
    **dict.fromkeys("先 上 上个 上個 去 昨".split(), -1),
    **dict.fromkeys("今 这 這 本 这个 這個".split(), 0),
    **dict.fromkeys("来 來 下 下个 下個 明".split(), 1),
    **dict.fromkeys("再来 下下 下下个 下下個".split(), 2),
}
_UNITS = {
    **dict.fromkeys("日 天".split(), "day"),
    **dict.fromkeys("週 周 週間 周间 星期 個星期 个星期 礼拜 禮拜 个礼拜 個禮拜 個月曜".split(), "week"),
    **dict.fromkeys("月 か月 ヶ月 ケ月 カ月 个月 個月".split(), "month"),
    **dict.fromkeys("年 年間".split(), "year"),
}
_WEEKDAYS = {
    **dict(zip("月火水木金土日", range(7), strict=True)),
    **dict(zip("一二三四五六天", range(7), strict=True)),
}
_NUMBERS = dict(zip("一二三四五六七八九十", range(1, 11), strict=True)) | {"两": 2, "兩": 2, "半": 0}
_SEASONS = {"春": "spring", "夏": "summer", "秋": "autumn", "冬": "winter"}


def _any(listed: dict[str, int] | dict[str, str]) -> str:
    return "|".join(sorted(listed, key=len, reverse=True))


_N = rf"(?:\d{{1,3}}|[{''.join(_NUMBERS)}])"
_WEEK = r"(?:週|周|星期|礼拜|禮拜)"
_TIME = rf"""
  (?<!\d)(?:(?P<year>\d{{4}})\s?年\s?|(?P<near>去年|今年|来年|來年|明年|昨年)の?)?(?P<month>\d{{1,2}})\s?月\s?
      (?:(?P<day>\d{{1,2}})\s?[日号號]|(?![\d間间曜]))
| (?<!\d)(?P<only>\d{{4}})年(?![間间前以])
| (?<![\d月週周])(?P<date>\d{{1,2}})[号號日](?![間间前後后目元\d])
| (?P<count>{_N})(?P<unit>{_any(_UNITS)})(?P<ago>前|以前|后|後)
| (?P<shift>{_any(_SHIFTS)})?の?(?P<week>{_WEEK})の?(?P<weekday>[一二三四五六天日]|[月火水木金土日]曜日?|末)
| (?P<named>{_any(_SHIFTS)})(?P<noun>{_WEEK}|月|年)(?![間间曜])(?:の?(?P<season>[春夏秋冬])天?)?
| (?P<bare>[月火水木金土日])曜日?
| (?P<spoken>{_any(_DAYS)})
"""
_SCRIPT = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_BEHIND: dict[str, Relation] = {"から": "since", "以来": "since", "以來": "since", "まで": "until", "之前": "before"}
_BEHIND |= {"の前": "before", "以前": "before", "之后": "after", "之後": "after", "以降": "since", "の後": "after"}
_AHEAD: dict[str, Relation] = {"从": "since", "從": "since", "自": "since", "到": "until", "至": "until"}


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile(_TIME, re.VERBOSE)


def written_in(text: str) -> bool:
    """Say whether a text holds Chinese or Japanese."""
    return not text.isascii() and _SCRIPT.search(text) is not None


def read(reading: Reading) -> tuple[list[Token], str]:
    """Return the times found, and the text with line breaks in their place."""
    found: list[Token] = []
    for match in _pattern().finditer(reading.text):
        reading.relative = False
        known, period = "", None
        try:
            period = _period(reading, match)
        except OpenError as error:
            known = str(error)
        except (ValueError, OverflowError):  # no such day
            continue
        if period is None and not reading.relative:
            continue
        token = Token("Z", known, match.start(), match.end(), period=period, relative=reading.relative)
        found.append(_related(reading.text, token))
    left = reading.text
    for token in found:
        left = left[: token.start] + "\n" * (token.end - token.start) + left[token.end :]
    return found, left


def _related(text: str, token: Token) -> Token:
    for word, relation in _BEHIND.items():
        if text.startswith(word, token.end):
            return token._replace(end=token.end + len(word), relation=relation)
    before = text[max(0, token.start - 1) : token.start]
    return token._replace(start=token.start - 1, relation=_AHEAD[before]) if before in _AHEAD else token


def _period(reading: Reading, match: re.Match[str]) -> Period | None:
    if match["month"]:
        return _dated(reading, match)
    if match["only"]:
        return calendar.years(int(match["only"]), int(match["only"]))
    if match["date"]:
        return one_day(day_near(reading, int(match["date"])))
    if match["count"]:
        return _counted(reading, match)
    if match["week"]:
        return _day_of_week(reading, _SHIFTS.get(match["shift"]), match["weekday"])
    if match["named"]:
        return _named(reading, match)
    if match["bare"]:
        return _day_of_week(reading, None, match["bare"])
    return one_day(add(reading.today, "day", _DAYS[match["spoken"]]))


def _dated(reading: Reading, match: re.Match[str]) -> Period:
    month, day = int(match["month"]), int(match["day"] or 0)
    date(2000, month, day or 1)  # a month 13 is none, whatever the year
    if match["year"]:
        year = int(match["year"])
    elif match["near"]:
        year = reading.today.year + _SHIFTS[match["near"][0]]
    else:
        year = which_year(reading, 0, 0, month, day)
    reading.month_said = date(year, month, 1)
    return one_day(date(year, month, day)) if day else calendar.months(year, month)


def _counted(reading: Reading, match: re.Match[str]) -> Period | None:
    count, unit = _NUMBERS.get(match["count"]) or int(match["count"]), _UNITS[match["unit"]]
    then = add(reading.today, unit, count * (-1 if "前" in match["ago"] else 1))
    return one_day(then) if unit in ("day", "week") else unit_of(then, unit)


def _day_of_week(reading: Reading, shift: int | None, name: str) -> Period:
    week = unit_of(reading.today, "week", shift or 0)
    if name == "末":
        return unit_of(week.first, "weekend")
    day = add(week.first, "day", _WEEKDAYS[name[0]])
    if shift is None and day < reading.today:
        day = add(day, "week", 1)
    return one_day(day)


def _named(reading: Reading, match: re.Match[str]) -> Period:
    unit = {"月": "month", "年": "year"}.get(match["noun"], "week")
    whole = unit_of(reading.today, unit, _SHIFTS[match["named"]])
    if match["season"]:
        return calendar.months(whole.first.year, calendar.SEASONS[_SEASONS[match["season"]]], 3)
    return whole
