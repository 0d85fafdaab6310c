"""File names in running text, found without guessing.

A dot between two words is far more often an attribute (`console.log`), a product (`Node.js`), a domain or a version
than a file. So a bare name must end in a known extension and get past the guards below; a name behind a slash is
trusted more, and one at an absolute place most.
"""

import re
from functools import lru_cache

_URL = re.compile(r"\b[a-z][a-z0-9+.-]*://\S+|(?<![\w:])//\S+|\b[\w.+-]+@[\w-]+\.[\w.]+", re.IGNORECASE)
_DELIMITER = r"\s\"'`“”‘’„«»「」『』<>|;,(){}=*、，。：（）"
_TOKEN = re.compile(
    rf"(?<![^{_DELIMITER}])(?:[^{_DELIMITER}.]*\.[^{_DELIMITER}]*[^{_DELIMITER}.]|(?:[^{_DELIMITER}.]*/)?"
    rf"(?:[A-Z]\w+|makefile|justfile|crontab|authorized_keys|known_hosts)(?![^{_DELIMITER}.:!?]))"
)
"""Tokens with a dot inside, and words that may be a known name: the others need no look."""
_QUOTED = re.compile(r"[\"“']((?:[\w~.\[\]-][\w~./\\:\[\]-]* ){1,4}[\w.\[\]/\\-]+\.\w{1,10})[\"”']")
_LINE_SUFFIX = re.compile(r"(?::\d+(?:[:-]\d+)?|#L\d+(?:-L?\d+)?)$")
_ABSOLUTE = re.compile(r"(?:[A-Za-z]:[\\/]|~[\\/]|\.{1,2}[\\/]|/)")

_BARE_STEM = re.compile(r"\.?[\w@+~\[\]-]+(?:\.[\w@+~\[\]-]+)*")

EXTENSIONS = frozenset(
    """
        py pyi pyx ipynb js jsx mjs cjs ts tsx mts cts vue svelte astro html htm css scss sass less json jsonl
        json5 jsonc ndjson yaml yml toml ini cfg conf xml svg md mdx rst txt tex csv tsv parquet sql db sqlite
        sqlite3 sh bash zsh fish ps1 bat cmd go rs c h cc cpp cxx hpp hh cs fs java kt kts scala clj ex exs erl
        hs ml rb erb php pl pm lua r rmd jl swift m mm dart zig nim d v tf tfvars hcl proto graphql gql gradle
        sln csproj lock env log map diff patch gz zip tar tgz bz2 xz 7z pdf docx xlsx pptx odt ods png jpg jpeg
        gif webp ico mp3 mp4 wav mov woff woff2 ttf gguf onnx pt safetensors npz npy pkl whl exe dll so dylib
        jar war apk pem crt key pub service plist prisma sol wasm cmake mk bak tmp out example sample template
        j2 jinja tpl hbs ejs pug snap spec lst srt bib cls sty eml ics vcf
        """.split()
)
KNOWN_NAMES = frozenset(
    """
        Makefile makefile GNUmakefile Dockerfile Containerfile Procfile Gemfile Rakefile Jenkinsfile Vagrantfile
        Brewfile Justfile justfile Pipfile Caddyfile Tiltfile BUILD.bazel go.mod go.sum CODEOWNERS README
        LICENSE CHANGELOG .gitignore .gitattributes .gitmodules .dockerignore .npmignore .env .envrc .eslintrc
        .prettierrc .babelrc .stylelintrc .flake8 .pylintrc .coveragerc .editorconfig .npmrc .nvmrc .bashrc
        .bash_profile .zshrc .profile .vimrc .tmux.conf .htaccess .python-version .node-version .ruby-version
        .tool-versions .gitconfig crontab authorized_keys known_hosts
        """.split()
)
_LAST_WORD_FREE = frozenset(["Dockerfile", "Makefile", "Procfile", ".env", ".eslintrc", ".prettierrc"])
"""Names that may carry any suffix: `Dockerfile.dev`, `.env.local`."""

_OBJECTS = frozenset(
    """
        console self this cls super logger log math window document process module exports request response req
        res resp event err error ctx np pd plt tf torch os sys re df cursor element string threading asyncio
        items item array arr obj import.meta e.g i.e
        """.split()
)
"""What stands before the dot of an attribute (`console.log`, `response.json`), never alone before that of a file."""

_PRODUCTS = frozenset(
    """
        node next nuxt vue react express three d3 ember backbone angular chart moment discord electron socket
        alpine solid svelte knockout day p5 tensorflow deno bun asp nest handlebars mustache plotly leaflet
        gatsby ant paper fabric
        """.split()
)
_SITES = frozenset(
    """
    docs.rs lib.rs crates.rs bun.sh get.sh ohmyz.sh fly.io hackmd.md obsidian.md about.me
    """.split()
)
_COMPOUND_ONLY = frozenset(
    """
    map env lock key bak tmp out example sample template snap spec so d v m pub
    """.split()
)
"""Extensions that make a file of a bare name only after another extension or in a name that is a file anyway."""
_ENV_STEMS = frozenset(
    """
    prod dev test local staging production development example docker app
    """.split()
)
_LOCK_STEMS = frozenset(
    """
    poetry cargo yarn composer gemfile pipfile flake mix podfile uv pdm bun package-lock deno
    """.split()
)
_COMMANDS = frozenset(
    """
        python python3 pytest node npm npx yarn pnpm cat less tail head vim nano rm mv cp ls git cd sh bash zsh
        make ruff mypy black go cargo ruby php java gcc g++ clang tsc deno bun uv pip the a in at to of see and
        or for with from run open edit read this that no not
        """.split()
)


def file_names(text: str) -> list[str]:
    """Every file a text names, in order, repeats included; `path:12` loses its line."""
    if "//" in text or "@" in text:
        text = _URL.sub(lambda match: " " * len(match[0]), text)
    found: list[tuple[int, str]] = []
    if '"' in text or "'" in text or "“" in text:
        found = [(match.start(1), match[1]) for match in _QUOTED.finditer(text) if _is_spaced_name(match[1])]
        for start, name in found:
            text = text[:start] + " " * len(name) + text[start + len(name) :]
    for match in _TOKEN.finditer(text):
        token = match[0]
        if text[match.end() : match.end() + 1] == "(" and token[-1] != "]" and "/" not in token:
            continue
        name = _bare(token)
        if is_file_name(name):
            found.append((match.start(), name))
    found.sort()
    return [name for _, name in found]


def _is_spaced_name(name: str) -> bool:
    """Say whether a quoted text with spaces is a file's name and not a command line or a sentence about one."""
    first, last = name.split()[0].lower(), name.split()[-1]
    return first not in _COMMANDS and "/" not in last and is_file_name(last)


def _bare(token: str) -> str:
    """A token without the punctuation, brackets and line number around a path."""
    name = token.rstrip(".:!?…,\\")
    name = _LINE_SUFFIX.sub("", name).lstrip(":!@&$%^+-?#")
    if name.startswith("[") and name.count("[") > name.count("]"):
        name = name[1:]
    if name.endswith("]"):
        name = name[1:-1] if name.startswith("[") and name.count("[") == 1 else name if "[" in name else name[:-1]
    return name


@lru_cache(maxsize=16384)
def is_file_name(name: str) -> bool:
    """Say whether a single token is the path or name of a file."""
    if not 3 <= len(name) <= 400 or not any(map(str.isalpha, name)):
        return False
    base = base_name(name)
    if base in KNOWN_NAMES:
        return base not in ("README", "LICENSE", "CHANGELOG") or name == base or _ABSOLUTE.match(name) is not None
    stem, dot, extension = base.rpartition(".")
    if not dot or not extension.isalnum():
        return False
    if any(stem == known or stem.startswith(known + ".") for known in _LAST_WORD_FREE):
        return True
    if base != name:
        return _is_pathed(name, stem, extension)
    return _is_bare_file(stem, extension)


def base_name(path: str) -> str:
    """The last part of a path of either kind of slash."""
    return re.split(r"[\\/]", path)[-1]


def _is_pathed(name: str, stem: str, extension: str) -> bool:
    if not stem or name.endswith(("/", "\\")):
        return False
    if extension.lower() in EXTENSIONS and not extension.isdigit():
        first = re.split(r"[\\/]", name)[0]
        return not ("." in first.strip(".~") and is_file_name(first))
    return _ABSOLUTE.match(name) is not None and extension.isalnum() and extension[0].isalpha() and len(extension) <= 6


def _is_bare_file(stem: str, extension: str) -> bool:
    lowered, ext = stem.lower(), extension.lower()
    if ext not in EXTENSIONS or not any(map(str.isalpha, stem)) or f"{lowered}.{ext}" in _SITES:
        return False
    if not _BARE_STEM.fullmatch(stem) or lowered in _OBJECTS or lowered.partition(".")[0] in ("self", "this", "e"):
        return False
    if ext in _COMPOUND_ONLY:
        return _is_compound(lowered, ext)
    if ext == "js" and lowered in _PRODUCTS:
        return False
    return len(ext) > 1 or (len(stem) > 2 and "." not in stem)


def _is_compound(stem: str, ext: str) -> bool:
    if ext == "env":
        return stem in _ENV_STEMS
    if ext == "lock":
        return stem in _LOCK_STEMS
    return "." in stem and stem.rpartition(".")[2] in EXTENSIONS - _COMPOUND_ONLY
