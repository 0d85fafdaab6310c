"""Values that claims give to things, and whether two are the same, or can take each other's place.

A number can take the place of a number of the same measure, a day that of a day, one editor that of another, `on` that
of `off`. A word that is none of these takes no other's place: what is `friendly` may well be `five years old`.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from memlite.grounding.said import fold, root
from memlite.text.when import find_times


class Value(Struct, frozen=True):
    """A value: what it can be compared with, and what it is."""

    kind: str
    """`number:time`, `date`, `clock`, `name`, `choice:...`; two of one kind can take each other's place."""
    key: str
    """Equal where two spell one value differently."""


_NUMBER_WORDS = {
    word: str(number)
    for number, spelled in enumerate(
        (
            "zero no",
            "one eins une uno um",
            "two zwei deux dos dois duas both",
            "three drei trois tres três",
            "four vier quatre cuatro quatro",
            "five fünf cinq cinco",
            "six sechs seis",
            "seven sieben sept siete sete",
            "eight acht huit ocho oito",
            "nine neun neuf nueve nove",
            "ten zehn dix diez dez",
            "eleven elf onze once",
            "twelve zwölf douze doce doze",
        )
    )
    for word in spelled.split()
    if word not in ("no", "um", "both", "une", "once")
}
# To one unit for each measure, so that `60 s` is `1 minute`.
_MEASURES: dict[str, dict[str, float]] = {
    "duration": {
        "ms milliseconds millisecond": 0.001,
        "s sec secs seconds second sekunden sekunde secondes seconde segundos segundo 秒": 1,
        "min mins minutes minute minuten minutos minuto 分钟 分": 60,
        "h hr hrs hours hour stunden stunde heures heure horas hora 小时 時間": 3600,
        "days day tage tag jours jour días día dias dia 天 日": 86_400,
        "weeks week wochen woche semaines semaine semanas semana 周": 604_800,
        "months month monate monat mois meses mes mês": 2_629_746,
        "years year jahre jahr ans an années años año anos ano 岁 年 歳": 31_556_952,
    },
    "size": {
        "b bytes byte": 1,
        "kb kib": 1e3,
        "mb mib": 1e6,
        "gb gib g": 1e9,
        "tb tib": 1e12,
    },
    "length": {"mm": 0.001, "cm": 0.01, "m metres meters": 1, "km kilometres kilometers": 1000, "miles mile": 1609.344},
    "weight": {"g grams": 0.001, "kg kilos kilograms": 1, "lb lbs pounds": 0.45359237},
    "share": {"% percent prozent": 1},
    "money": {"€ eur euro euros": 1, "$ usd dollars dollar": 1, "£ gbp": 1, "kr": 1, "¥ yen yuan": 1, "r$ reais": 1},
}
_UNITS = {
    unit: (measure, factor)
    for measure, listed in _MEASURES.items()
    for spelled, factor in listed.items()
    for unit in spelled.split()
    if (measure, unit) not in (("weight", "g"), ("length", "m"))
}

_CHOICES = (
    "on off enabled disabled active inactive activated deactivated an aus ligado desligado aktiviert deaktiviert",
    "dark light",
    "tabs spaces",
    "daily weekly monthly hourly nightly yearly quarterly biweekly fortnightly",
    "single married engaged divorced widowed separated dating ledig verheiratet geschieden verlobt casado casada"
    " divorciado divorciada solteiro solteira soltero soltera marié mariée célibataire divorcé divorcée",
    "vegetarian vegan pescatarian omnivore vegetariano vegetariana vegano vegana vegetarier veganer végétarien"
    " végétarienne végan végane",
    "true false",
    "public private",
    "open closed resolved merged reopened",
    "red blue green yellow purple orange black white pink grey gray brown rot blau grün gelb schwarz weiß rouge bleu"
    " vert rojo azul verde amarillo vermelho amarelo preto branco",
    "morning afternoon evening night noon midnight",
    "left right",
    "remote onsite hybrid",
    "full-time part-time",
    "vim neovim emacs helix vscode nano sublime zed pycharm intellij webstorm cursor atom",
    "postgres mysql mariadb sqlite mongodb oracle cockroachdb dynamodb cassandra mssql",
    "redis memcached valkey",
    "npm yarn pnpm bun",
    "pip poetry uv pipenv conda pdm",
    "jest vitest mocha jasmine ava",
    "pytest unittest nose",
    "eslint tslint biome",
    "black ruff flake8 pylint",
    "webpack vite rollup esbuild parcel turbopack",
    "aws azure gcp hetzner digitalocean heroku netlify vercel",
    "jenkins travis circleci github-actions gitlab-ci buildkite",
    "react vue angular svelte solid",
    "flask django fastapi starlette",
    "express fastify koa hapi nestjs",
    "rabbitmq kafka nats sqs activemq",
    "docker podman",
    "bash zsh fish",
    "chrome firefox safari edge brave",
    "slack teams discord mattermost",
    "jira linear trello asana",
    "windows macos linux ubuntu debian fedora arch",
    "iphone android pixel",
    "rest graphql grpc",
    "terraform pulumi ansible cloudformation",
    "datadog grafana prometheus newrelic",
    "evernote notion obsidian onenote",
    "car bike bus train tram metro",
    "tea coffee",
    "python javascript typescript java kotlin rust go ruby php",
)
_CHOICE = {word: f"choice:{number}" for number, group in enumerate(_CHOICES) for word in group.split()}
# `an` and `on` are words of other things too: only where they stand for the value itself.
_ONLY_ALONE = frozenset("an aus on off go left right open night".split())
_ALIASES = {
    alias: name
    for name, aliases in {
        "postgres": "postgresql pg psql",
        "vscode": "code vs-code visual-studio-code",
        "neovim": "nvim",
        "javascript": "js",
        "typescript": "ts",
        "kubernetes": "k8s kube",
        "mongodb": "mongo",
        "github-actions": "gha",
        "gcp": "google-cloud",
        "new-york": "nyc new-york-city ny",
        "san-francisco": "sf",
        "los-angeles": "la",
        "united-states": "us usa america",
        "united-kingdom": "uk britain great-britain",
        "munich": "münchen munchen",
        "cologne": "köln koln",
        "lisbon": "lisboa lissabon lisbonne",
        "golang": "go-lang",
        "enabled": "on activated aktiviert ligado",
        "disabled": "off deactivated deaktiviert desligado",
        "grey": "gray",
        "color": "colour",
        "favourit": "favorit",
        "macos": "mac osx",
    }.items()
    for alias in aliases.split()
    if alias not in ("code", "la", "pg")
}
_CLOCK = re.compile(r"\b(?:(\d{1,2})[:h](\d\d)(?:\s?(am|pm))?|(\d{1,2})\s?(am|pm))\b", re.IGNORECASE)
_AMOUNT = re.compile(
    r"(?P<sign>[$€£¥]|R\$)?\s?(?<![\w.])(?P<number>v?\d+(?:[.,' ]\d+)*)(?P<k>k\b)?\s?-?(?P<unit>%|[€$£¥]|[^\W\d_]+)?",
    re.IGNORECASE,
)
_NAMED_BY_NUMBER = re.compile(
    r"(?:#|!|\b(?:numbers?|no\.|nr\.|issue|pr|mr|ticket|step|chapter|room|page|line|task|day|phase|sprint|part|question|item"
    r"|section|floor|gate|platform|track|episode|season|round|lesson|level|exercise|appendix|figure|table|case|week|group"
    r"|team|class|grade|building|apartment|nummer|schritt|kapitel|seite|étape|chapitre|paso|capítulo|passo|número)\s?)$",
    re.IGNORECASE,
)
"""Before a number that is the name of a thing, and no value of one."""
_IDENTIFIER = re.compile(r"`[^`]+`|\"[^\"]+\"|'[^']+'|[\w-]*[a-z][A-Z]\w*|\w+(?:[_./-]\w+)+|\w*\d\w*[A-Za-z]\w*")
_NAME = re.compile(r"[A-ZÀ-ÞŒ][\w&'’-]*(?:\s+(?:(?:of|de|da|do|del|la|van|von|der|&)\s+)?[A-ZÀ-Þ0-9][\w&-]*)*")
_POSSESSIVE = re.compile(r"['’]s?$")
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")


def alias(word: str) -> str:
    """Return the name by which a thing of several names is compared."""
    key = word.casefold().replace(" ", "-").replace("_", "-")
    return _ALIASES.get(key, key)


class Span(Struct, frozen=True):
    """A value and where it stands."""

    start: int
    end: int
    value: Value


@lru_cache(maxsize=65_536)
def values_in(text: str) -> tuple[Span, ...]:
    """Return the values a text names, in order, none within another."""
    taken = bytearray(len(text))
    found: list[Span] = []
    for read in (_dates, _clocks, _amounts, _identifiers, _names, _choices):
        for span in read(text):
            if not any(taken[span.start : span.end]):
                taken[span.start : span.end] = b"\1" * (span.end - span.start)
                found.append(span)
    return tuple(sorted(found, key=lambda span: span.start))


def _dates(text: str) -> Iterator[Span]:
    for time in find_times(text):
        if time.clock or re.fullmatch(r"\d+", time.text):
            continue
        yield Span(time.start_char, time.end_char, Value("date", time.label or fold(time.text)))


def _clocks(text: str) -> Iterator[Span]:
    for match in _CLOCK.finditer(text):
        hour, minute = int(match[1] or match[4]), int(match[2] or 0)
        half = (match[3] or match[5] or "").casefold()
        hour = hour % 12 + 12 * (half == "pm") if half else hour
        yield Span(*match.span(), Value("clock", f"{hour:02}:{minute:02}"))


def _amounts(text: str) -> Iterator[Span]:
    for match in _AMOUNT.finditer(text):
        if _NAMED_BY_NUMBER.search(text, 0, match.start("number")):
            continue
        unit = fold(match["sign"] or match["unit"] or "")
        measure, factor = _UNITS.get(unit, ("", 1.0))
        end = match.end() if measure or not match["unit"] else match.start("unit")
        written = match["number"].casefold().removeprefix("v").strip(" '")
        if written.count(".") > 1:
            yield Span(match.start("number"), match.start("number") + len(match["number"]), Value("version", written))
            continue
        amount = _amount(written) * (1000 if match["k"] else 1) * factor
        end = match.end("k") if not measure and match["k"] else end
        start = match.start()
        yield Span(start, len(text[:end].rstrip(" -")), Value(f"number:{measure}", f"{amount:g}"))
    for match in _WORD.finditer(text):
        if number := _NUMBER_WORDS.get(match[0].casefold()):
            yield Span(*match.span(), Value("number:", number))


def _amount(written: str) -> float:
    """Return a number as people write it: `1,200`, `1.200,50` and `1 200` are over a thousand."""
    plain = re.sub(r"[ ']|[.,](?=\d{3}(?:\D|$))", "", written) if not re.fullmatch(r"\d\.\d{3}", written) else written
    return float(plain.replace(",", ".")) if plain.count(".") + plain.count(",") < 2 else 0.0


def _identifiers(text: str) -> Iterator[Span]:
    for match in _IDENTIFIER.finditer(text):
        key = alias(match[0].strip("`\"'"))
        yield Span(*match.span(), Value(_CHOICE.get(key, "name"), key))


def _names(text: str) -> Iterator[Span]:
    for match in _NAME.finditer(text):
        if not text[: match.start()].strip(" \"'¿¡«“("):  # what stands first is written large whatever it is
            continue
        name = _POSSESSIVE.sub("", match[0])
        key = alias(name)
        yield Span(match.start(), match.start() + len(name), Value(_CHOICE.get(key, "name"), key))


def _choices(text: str) -> Iterator[Span]:
    alone = len(text.split()) == 1
    for match in _WORD.finditer(text):
        key = alias(match[0])
        plain = match[0].casefold()
        kind = _CHOICE.get(plain) or _CHOICE.get(key)
        if kind and (alone or plain not in _ONLY_ALONE):
            yield Span(*match.span(), Value(kind, key))


def rest_of(text: str, spans: tuple[Span, ...]) -> str:
    """Return a text without its values."""
    pieces, at = [], 0
    for span in spans:
        pieces.append(text[at : span.start])
        at = span.end
    return " ".join((*pieces, text[at:]))


def roots(text: str) -> frozenset[str]:
    """Return the words of a text without case, plural and the commonest endings, one name for a thing of several."""
    return frozenset(alias(root(fold(word))) for word in _WORD.findall(text))


def comparable(one: Value, other: Value) -> bool:
    """Say whether a value can take another's place."""
    if one.kind == other.kind:
        return True
    loose = {one.kind, other.kind}
    # A number without a unit may have any; a name may be a choice that is not listed.
    return "number:" in loose and all(kind.startswith("number") for kind in loose)
