"""English verbs, as far as turning `I` into a name needs them.

Past forms stay as they are and present ones take an `s`, so only what ends in neither `-ed` nor `-s` must be listed.
"""

from functools import lru_cache

from memlite.text.words import FUNCTION_WORDS

PAST = frozenset(
    """
    ate beat became began bent bet bit blew bought bound broke brought built burnt came caught chose cost crept cut
    dealt did drank dreamt drew drove dug fed fell felt flew forbade forgot fought found froze gave got grew had heard
    held hid hit hung hurt kept knelt knew laid lay learnt led left lent let lit lost made meant met paid put quit ran
    rang read rode rose said sang sank sat saw sent set shook shot showed shrank shut slept slid sold spent spilt spoke
    spread stole stood stuck swam swept swore taught thought threw told took tore understood went woke won wore wrote
    was were redid rebuilt rewrote reran reset overslept undid withdrew outgrew
    """.split()
)
_BASE = frozenset(
    """
    accept add agree am apply are ask attend avoid bake be become believe belong book borrow bring build buy call can
    care carry change charge check choose clean climb collect come consider cook count cover cross dance decide deliver
    deploy deserve dislike do drink drive drop earn eat enjoy expect feed feel find finish fix fly follow forget freeze
    gather get give go grow handle hate have hear help hide hire hold hope host imagine insist invite join keep know
    lack learn leave lend let like listen live look lose love maintain make manage mean meet mind miss move need open
    order organise organize owe own paint park pay pick plan plant play practice practise prefer prepare print promise
    pull push put quit read realise realize recommend refuse remember remind rent repair replace reply report rest
    return ride run save say see sell send serve set share ship show sign sing sit skip sleep smoke speak spend stand
    start stay stick stop store struggle study suffer suggest suspect swim switch take talk teach tend think train
    travel treat trust try turn type understand use visit volunteer wait wake walk want wash watch wear weigh wish
    wonder work worry write
    """.split()
)
IMPERATIVE = frozenset(
    """
    add ask avoid bake boil book bring bump buy call change check choose clean clear click close combine compare
    configure consider convert cook cool copy cover create cut delete disable do don't draft drain drink drop dry eat
    enable ensure expect explain export file fill find fix flush fold freeze get give go grab have heat hold ignore
    import include increase insert install keep leave let limit list log look lower make mark mention merge mix mount
    move open order pack paste pay pick pin place plan post pour prefer prepare press print pull push put read rebase
    record reduce remind remove rename replace reply report reset rest return revert rewrite rinse roll rotate run save
    say schedule see select send serve set share show shut sign simmer skip soak sort split start stay stick stir stop
    store strip swap switch take tell test think touch track translate treat trim try turn type update upgrade use wait
    walk wash watch wipe wrap write
    """.split()
)
AUXILIARIES = {
    "am": "is", "are": "is", "were": "was", "have": "has", "do": "does", "don't": "doesn't", "haven't": "hasn't",
    "aren't": "isn't", "weren't": "wasn't", "dont": "doesn't", "havent": "hasn't", "ain't": "isn't",
}  # fmt: skip
_UNCHANGED = frozenset(
    """
    is was will would can could may might must shall should can't cannot couldn't won't wouldn't shouldn't mustn't
    didn't hadn't wasn't cant wont didnt had did has does doesn't hasn't isn't better gonna gotta wanna
    """.split()
)
ADVERBS = frozenset(
    """
    actually again all almost already also always barely basically both certainly completely currently definitely
    easily even eventually ever exactly finally first fully generally hardly honestly initially just kinda lately
    literally mainly maybe merely mostly nearly never normally not now obviously occasionally often once only
    originally otherwise partly personally possibly probably quickly quite rarely really recently regularly
    sadly secretly seriously simply sometimes soon still strictly suddenly then totally truly usually
    """.split()
)
_THIRD = frozenset(
    "is has does was beats costs depends helps lets makes opens requires results seems shows wins".split()
)
FINITE = frozenset(AUXILIARIES) | frozenset(AUXILIARIES.values()) | _UNCHANGED | PAST


@lru_cache(maxsize=16384)
def is_past(word: str) -> bool:
    """Say whether a word is, or looks like, a past form."""
    folded = word.casefold()
    return folded in PAST or (len(folded) > 3 and folded.endswith("ed") and not folded.endswith("eed"))


@lru_cache(maxsize=16384)
def is_running(word: str) -> bool:
    """Say whether a word is the `-ing` of a common verb."""
    root = word.casefold().removesuffix("ing")
    return root != word.casefold() and not _BASE.isdisjoint((root, root + "e", root[:-1]))


def is_base(word: str) -> bool:
    """Say whether a word is a common verb as it follows `will`."""
    return word.casefold() in _BASE or word.casefold() in ("have", "not", "never")


@lru_cache(maxsize=16384)
def is_third(word: str) -> bool:
    """Say whether a word is, or looks like, what a common verb is after `it`: `means`, but also the plural `plans`."""
    folded = word.casefold()
    if not folded.endswith("s"):
        return False
    return folded in _THIRD or not _BASE.isdisjoint((folded[:-1], folded[:-2], folded[:-3] + "y"))


@lru_cache(maxsize=16384)
def is_finite(word: str) -> bool:
    """Say whether a word can carry a statement: an auxiliary, a past form, or a common verb with or without its `s`."""
    folded = word.casefold().replace("’", "'")
    if (
        folded in FINITE
        or folded in _BASE
        or is_past(folded)
        or "'" in folded
        and folded.endswith(("'s", "'re", "'ll"))
    ):
        return True
    return folded.endswith("s") and (folded[:-1] in _BASE or folded[:-2] in _BASE or folded[:-3] + "y" in _BASE)


@lru_cache(maxsize=16384)
def third(verb: str) -> str:
    """Turn a verb as it follows `I` into the one that follows a name; what is no verb stays."""
    folded = verb.casefold().replace("’", "'")
    if folded in AUXILIARIES:
        return AUXILIARIES[folded]
    if folded in _UNCHANGED or is_past(folded):
        return verb
    if folded not in _BASE and (
        folded.endswith(("ing", "ly")) or folded in FUNCTION_WORDS["en"] or folded in ADVERBS or not verb.islower()
    ):
        return verb
    if folded.endswith(("s", "sh", "ch", "x", "o")):
        return verb + "es"
    if folded.endswith("y") and folded[-2:-1] not in tuple("aeou"):
        return verb[:-1] + "ies"
    return verb + "s"
