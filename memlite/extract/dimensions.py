"""What a claim says beside its content: where, why, what for."""

import re

_PROPER = r"[A-ZÀ-ÞŁŚŽČŠ][\w'’&-]*"
_NOT_PLACE = (
    r"(?!(?:January|February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday"
    r"|Wednesday|Thursday|Friday|Saturday|Sunday|Christmas|Easter|Mon|Tue|Wed|Thu|Fri|Sat|Sun|Q[1-4]|I|The)\b)"
)
_NAMED = rf"{_NOT_PLACE}{_PROPER}(?:(?:\s+(?:of|de|da|do|del|la|upon)\s+|\s+|-){_NOT_PLACE}{_PROPER}){{0,3}}"
_PLACES = (
    r"airport|apartment|attic|backyard|balcony|bakery|bank|barn|basement|bathroom|bay|beach|bedroom|boathouse|bridge"
    r"|cabin|cafe|café|campsite|campus|canteen|cellar|cemetery|center|centre|chapel|church|cinema|city|classroom|clinic"
    r"|club|coast|cold store|college|community hall|corner|cottage|court|creche|depot|desk|dock|drawer|factory|farm"
    r"|ferry|field|flat|forest|fridge|garage|garden|gallery|gym|hall|hangar|harbour|harbor|hospital|hostel|hotel|house"
    r"|island|kitchen|lab|lake|laundry|library|lighthouse|living room|lobby|lodge|lookout|mall|market|marina|mosque"
    r"|mountain|mountains|museum|nursery|office|park|parking lot|plot|plots|pool|porch|pub|restaurant|river|school|shed"
    r"|shelter|shop|site|stable|stadium|station|store|studio|supermarket|temple|theater|theatre|town|university|valley"
    r"|village|warehouse|wharf|workshop|yard|zoo"
)
_PLACED = rf"(?:the\s+|a\s+|an\s+|(?:my|our|his|her|their)\s+(?:\w+['’]s\s+)?)?(?:[\w'’-]+\s+){{0,2}}?(?:{_PLACES})\b"
_NAMED_PLACE = rf"(?:the\s+)?{_NAMED}(?![\w.]*\.\w)(?:\s+(?:{_PLACES}))?(?!\w)"
_MOVING = (
    r"mov(?:e|es|ed|ing)|go(?:es|ing)?|went|fl(?:y|ies|ying|ew)|driv(?:e|es|ing)|drove|travel\w*|trip|back"
    r"|relocat\w+|head(?:s|ed|ing)?"
    r"|com(?:e|es|ing)|came|off"
)
_WHERE = (
    re.compile(
        rf"\b(?i:in|at|near|outside|behind|inside)\s+(?P<place>{_NAMED_PLACE}|{_PROPER}['’]s(?=\s*(?:[,.;!?]|is\b|$)))"
    ),
    re.compile(
        rf"\b(?i:(?:{_MOVING})\s+to|leav(?:e|es|ing)\s+for|(?:is|are|was|am)\s+from)\s+(?P<place>{_NAMED_PLACE})"
    ),
    re.compile(rf"\b(?i:in|at|near|outside|behind|inside|into|on|onto|off)\s+(?P<place>{_PLACED})"),
    re.compile(r"\b(?:on|to|in)\s+(?P<place>staging|prod|production)\b"),
)
"""Surest first."""
_NO_PLACE = re.compile(
    r"(?:the )?(?:[A-Z\d&.-]{2,}|English|German|French|Spanish|Portuguese|Chinese|Japanese|Italian|Dutch)$"
)

_WHY = re.compile(
    r"(?:,?\s*\b(?:because(?! of)|cos|cuz|porque|weil|parce que|ya que|já que)\s+|,\s*(?:since|as|denn"
    r"|car)\s+(?=\w+\s+\w+)"
    r"|\s*\b(?:because of|due to|thanks to|wegen|debido a|por causa d\w+|à cause d\w+)\s+)(?P<why>[^;.!?]{4,160})",
    re.IGNORECASE,
)
_FOR = re.compile(
    r"\b(?P<what>(?:in order to|so that(?!\s+(?:works?|is|was|means?|makes?|would|will|should))|so as to|para que"
    r"|damit|pour que|afin de|um zu)\s+[^;,.!?]{4,100}"
    r"|so\s+(?:he|she|it|they|i|we|you|\w+)\s+(?:can|could|won't|don't|doesn't|doesnt|stays?)\b[^;,.!?]{0,80}"
    r"|to\s+(?:avoid|be|prevent|make sure|ensure|keep|save|help|see|get|learn|celebrate|visit)\s+[^;,.!?]{3,80})",
    re.IGNORECASE,
)
_FOR_WHAT = re.compile(
    r"\b(?:need(?:s|ed)?|bought|buy|book(?:ed)?|sav(?:e|ed|ing)|train(?:ing|ed)?|practi[cs]\w+|rehears\w+|learn\w*"
    r"|prepar\w+|bak\w+|made|making|going|came|coming|home|money|collect\w*|want|get|got)\b[^,;.!?]{0,50}?"
    r"\s(?P<what>for\s+(?!\w*day\b|\d|(?:a|an|the)\s+(?:week|month|year|day|while|few|long|moment|last|first"
    r"|next)\b)(?:my|our|the|his|her|a|an|[A-Z])[^,;.!?]{2,50})"
)


_WANTING = frozenset(
    """
    want wants wanted need needs needed have has had going used try tries tried trying like likes liked love loves loved
    plan plans planned planning hope hopes hoped hoping ready able great awesome lucky happy glad way ways time good
    nice sad hard easy cool fun sure supposed allowed recommended decided decides chose refused learned learning how
    what where started begins began free proud excited important amazing tough
    """.split()
)
"""Words whose `to` begins what is wanted or felt, no purpose."""


def place(text: str, people: frozenset[str]) -> str:
    """Where it is, happened or will; "" when the text does not say. `people` are names that are no places."""
    for pattern in _WHERE:
        for found in pattern.finditer(text):
            where = found["place"]
            if where.split()[0] not in people and not _NO_PLACE.match(where):
                return where
    return ""


def reason(text: str) -> tuple[str, str]:
    """Why, and the text without it; ("", text) when it gives no cause."""
    if found := _WHY.search(text):
        rest = text[: found.start()].strip(" ,;")
        if len(rest) >= 8:
            return found["why"].strip(" ,"), rest
    return "", text


def purpose(text: str) -> str:
    """What for; "" when the text does not say."""
    for found in (*_FOR.finditer(text), *_FOR_WHAT.finditer(text)):
        before = text[: found.start()].split()[-1:] or [""]
        if found.start() > 3 and before[0].casefold().strip(",") not in _WANTING:
            return found["what"].strip()
    return ""
