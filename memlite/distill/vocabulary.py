"""The closed word lists of the distiller: what to look for, how to name a kind of work.

English first, with the commonest of Portuguese, Spanish, German, French, Chinese and Japanese: a language that is not
listed loses only the fine tuning, never its words.
"""

from functools import lru_cache

from memlite.text.phrases import LOOSE_ENDS, any_of
from memlite.text.slug import slug

_CUES = {
    "decision": any_of(
        r"""
        (?:decid|cho[os]s|agree|instead|rather|prefer|settle|switch|keep|stay|must|never|always|only$|not$|rule|should
        |don't|won't|default|limit|cap$|schedul|book(?:ed|ing)$|postpon|cancel|approv|reject|plan|use[sd]?$
        |escolh|usar|fica|nunca|sempre|só$|elegi|siempre|solo$|mejor|melhor|entschied|nehm|lieber|immer$|nie$
        |nur$|bleibt
        |statt$|plutôt|jamais|toujours|choisi|gard|seulement
        |决定|改成|改为|不要|必须|换成|にす|にし|決め|だけ|必ず|やめ)
        """
    ),
    "result": any_of(
        r"""
        (?:fixed|done|added|created|removed|deleted|updated|renamed|moved|replaced|implement|refactor|wrote
        |written|merged
        |deployed|released|committed|pass(?:ed|ing)|fail|green|work(?:s|ing|ed)$|found|changed|set$|sent$
        |finish|started
        |bought|got$|went$|won$|lost$|broke|now$|results?$|total$|measured|ran$|tested|installed|configured
        |generated|signed
        |costs?$|takes?$|took$|made$|met$
        |feit[oa]|criad|adicionad|corrigid|mud|paguei|comprei|hech[oa]|cread|añad|arreglad|cambi|erledigt
        |gemacht|gebaut
        |geändert|eingetragen|gekauft|fait|ajouté|corrigé|changé|acheté
        |完成|修复|修好|添加|改了|通过|失败|した|でき|直し)
        """
    ),
    "cause": any_of(
        r"""
        (?:because|since$|cause|due$|reason|root$|therefore|otherwise|problem|issue|bug$|error|exception|wrong
        |missing|leak
        |crash|timeout|conflict|means$|solution|porque|debido|weil$|wegen|deshalb|sonst|fehler|damit|car$|donc$
        |sinon|erreur
        |因为|所以|原因|错误|由于|ため|から|ので|エラー)
        """
    ),
    "hedge": any_of(
        r"(?:maybe|perhaps|probably|might|could|possibly|generally|typically|usually|talvez|quizás?|vielleicht|peut)$"
    ),
}
_CUES["chat"] = any_of(r"(?:lol|lmao|haha+|rofl|kkk+|rsrs+|jaja+|mdr|xd|ｗｗ+|哈哈)$")
_CUES["turn"] = any_of(
    r"""
    (?:decid|decision|conclu|advice|recommend|drop|use|keep|go$|going|went|settled|agreed|switch|replac|cause
    |culprit|reason
    |bug$|fix|problem|issue|turn|move|chose|stay|from$|instead|longer|resolv|fim$|final|result|nehmen|entschied
    |stattdessen
    |lag$|garde|lieu|[^\x00-\x7f])
    """
)
_CONCLUSION = any_of(
    r"""
    \b(?:decided|decision|conclusion|my (?:advice|recommendation) (?:has changed|is)|i(?:'d| would) (?:drop
    |go with|recommend)
    |(?:we|i)(?:'ll| will| now) (?:use|keep|go with|stay with|drop)|(?:going|went|go) with|settled on|agreed (?:on|to)
    |switch(?:ed|ing)? (?:to|from)|replaced? .{1,40} (?:with|by)|(?:root |real |actual )?cause (?:was|is)\b|root cause
    |the (?:culprit|reason|bug|fix|problem|issue) (?:was|is)|cause:|fixed by|turns? out|turned out|so (?:we|i
    |it) (?:now )?
    (?:drop|use|keep|move|chose|stay)\w*|from [\w.-]+(?: \w+)? to [\w.-]*\d|instead of|no longer
    |decidi(?:mos|do|r)|resolvemos|no fim|decid(?:ido|imos)|al final|resultó|wir nehmen|entschieden|stattdessen|lag an
    |on garde|finalement|au lieu)\b|(?:决定|改成|改为|换成|根本原因|原因是|結局|に決め|に変更|原因は)
    """
)


def concludes(text: str) -> bool:
    """Say whether a sentence says how it ended: what was decided, what the cause was, what became what.

    Only one with the cue `turn` can, and four sentences in five need no search.
    """
    return _CONCLUSION.search(text) is not None


@lru_cache(maxsize=16384)
def cues(word: str) -> tuple[str, ...]:
    """What a word in a clause is a sign of."""
    return tuple(cue for cue, pattern in _CUES.items() if pattern.match(word))


MID_PHRASE = LOOSE_ENDS | frozenset("on in at by from my your his her their our is are was were".split())
"""Where a span taken out of a sentence must not end; a whole sentence may (`the fix is in`)."""

_WORKFLOWS = {
    "deployment": "deploy rollout rollback",
    "release": "releas changelog",
    "code-review": "code-review pull-request review-pr pr$",
    "debugging": "debug traceback stack-trace root-cause segfault",
    "migration": "migrat backfill migrac migrier",
    "testing": "pytest jest$ rspec unit-test test-suite test-fail test-pass test-coverage write-test",
    "refactoring": "refactor",
    "documentation": "docstring documentation readme",
    "git-commit": "git-commit git-add git-push git-rebase git-merge git-stash commit$ committ",
    "installation": "pip-install npm-install brew-install apt-install cargo-add uv-add npm-add yarn-add installation",
    "ci-pipeline": "github-action gitlab-ci ci$",
    "performance-tuning": "profiler benchmark optimiz optimis",
    "planning": "roadmap sprint milestone backlog kickoff",
    "trip-planning": "itinerar flight hotel hostel airbnb",
    "proofreading": "proofread rephras cover-letter",
    "translation": "translat ubersetz traduz traduc 翻译 翻訳",
}
"""Kinds of work by how a word begins (`$`: all of it), or by that and how the next one begins."""
WORKFLOW_KEYS = frozenset(_WORKFLOWS)
_SIGNS = [(*sign.partition("-")[::2], key) for key, signs in _WORKFLOWS.items() for sign in signs.split()]
_FIRSTS = tuple({first for first, _, _ in _SIGNS})


def workflow(word: str, following: str) -> str:
    """The kind of work that a word, or it with the one after it, speaks of, or ""."""
    return next((key for rest, key in _workflow_signs(word) if slug(following).startswith(rest)), "")


@lru_cache(maxsize=16384)
def starts_workflow(word: str) -> bool:
    """Say whether a word may speak of a kind of work: nearly none does."""
    return bool(_workflow_signs(word))


@lru_cache(maxsize=16384)
def _workflow_signs(word: str) -> tuple[tuple[str, str], ...]:
    """What must follow a word for which kind of work; nothing for most words."""
    whole = slug(word) + "$"
    if not whole.startswith(_FIRSTS):
        return ()
    return tuple((rest, key) for first, rest, key in _SIGNS if whole.startswith(first))
