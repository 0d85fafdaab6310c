"""Tests of memlite.text.paths."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.text.paths import base_name, file_names, is_file_name


@pytest.mark.parametrize(
    "text",
    [
        "console.log the value",
        "use items.map(x => x)",
        "read process.env.PORT",
        "process.env is empty",
        "self.log is noisy",
        "np.c and np.r",
        "e.g.r is odd",
        "Node.js, Next.js and Vue.js",
        "see https://host.example/a/b.json for it",
        "//host/a.json",
        "example.com and docs.rs",
        "version 1.2.3 or v2.4.7-hotfix",
        "write to ana@mail.py.org",
        "and/or, 3.9/3.11, n/a",
        "response.json is late, self.lock too",
        "I was there.So was she",
        "df.head() and foo.py() call",
    ],
)
def test_no_file(text: str) -> None:
    assert file_names(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("edit src/app.py now", ["src/app.py"]),
        ("in `shipments/views.py:88` still", ["shipments/views.py"]),
        ("see client.rb:44.", ["client.rb"]),
        ("Makefile and Dockerfile, Dockerfile.dev", ["Makefile", "Dockerfile", "Dockerfile.dev"]),
        ("not here? no: plots.ipynb", ["plots.ipynb"]),
        (
            "Program.cs, stubs.pyi, next.config.mjs, main.zig",
            ["Program.cs", "stubs.pyi", "next.config.mjs", "main.zig"],
        ),
        ("put it in .env and .env.local", [".env", ".env.local"]),
        ('open "my file.py" please', ["my file.py"]),
        ("app/[slug]/page.tsx", ["app/[slug]/page.tsx"]),
        ("[slug]/page.tsx", ["[slug]/page.tsx"]),
        ("data.csv.gz is there", ["data.csv.gz"]),
        (r"C:\Users\ana\notes.txt is mine", [r"C:\Users\ana\notes.txt"]),
        ("/etc/nginx/nginx.conf, ~/notes/todo.md", ["/etc/nginx/nginx.conf", "~/notes/todo.md"]),
        ("[views.py](src/views.py)", ["views.py", "src/views.py"]),
        ("fixed in src/a.ts#L10-L20", ["src/a.ts"]),
        ("Cargo.lock and bundle.js.map", ["Cargo.lock", "bundle.js.map"]),
        ("请看 配置/设置.yaml，谢谢", ["配置/设置.yaml"]),
        ("a.py a.py", ["a.py", "a.py"]),
        ("run main.c", ["main.c"]),
        ("twice: app.py, app.py", ["app.py", "app.py"]),
    ],
)
def test_files(text: str, expected: list[str]) -> None:
    assert file_names(text) == expected


def test_a_quoted_command_is_no_name_with_spaces() -> None:
    assert file_names('"python manage.py"') == ["manage.py"]


def test_base_name_knows_both_slashes() -> None:
    assert base_name("a/b.py") == base_name("a\\b.py") == "b.py"


@given(st.text())
def test_never_raises_and_every_name_stands_in_the_text(text: str) -> None:
    for name in file_names(text):
        assert name in text
        assert is_file_name(name.split()[-1])
