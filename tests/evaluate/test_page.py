"""Reports: tables whose columns fit, and a page that stands alone and escapes what it is given."""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

from memlite.evaluate import metrics, page, runs, tables
from memlite.types.evaluation import EvalReport, Outcome, RunRecord

HOSTILE = '<script>alert("x")</script>|&'
RECORD = RunRecord(HOSTILE, "d1", "sha256:1", "0.1.0", "abc", HOSTILE, "2026-01-01T00:00:00+00:00")


def outcome(plan, question, grades, category, milliseconds):
    found = tuple(int(grade == 3) for grade in grades)
    return Outcome("c", question, category, plan, grades, found, 1, (3,), milliseconds, 100)


REPORT = runs.summarise(
    RECORD,
    [
        outcome("auto", "1", (3,), HOSTILE, 10.0),
        outcome("auto", "2", (0, 3), "b", 20.0),
        outcome("V:bm25+D[all]:bm25/rrf", "1", (0, 0, 3), HOSTILE, 1.0),
        outcome("V:bm25+D[all]:bm25/rrf", "2", (), "b", 2.0),
    ],
)


class Reader(HTMLParser):
    """Collects what a browser would act on, and checks that tags close."""

    def __init__(self):
        super().__init__()
        self.tags, self.open = [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta",):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_page_stands_alone_and_what_data_says_is_text():
    made = page.page(REPORT)
    reader = Reader()
    reader.feed(made)
    names = {tag for tag, _ in reader.tags}
    assert reader.open == []
    assert not names & {"script", "link", "img", "iframe", "object"}
    assert not any(name.startswith("on") or name in ("src", "href") for _, attrs in reader.tags for name in attrs)
    assert "&lt;script&gt;" in made
    assert "http" not in made.replace("http://www.w3.org/2000/svg", "")


def test_the_plots_are_svg_and_show_every_plan():
    made = page.page(REPORT)
    drawn = [ElementTree.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", made)]
    assert len(drawn) == 4
    name = "{http://www.w3.org/2000/svg}"
    bars, categories, latency, tokens = drawn
    assert len(bars.findall(f"{name}rect")) == 2
    assert len(categories.findall(f"{name}rect")) == 4
    assert len(latency.findall(f"{name}circle")) == len(tokens.findall(f"{name}circle")) == 2
    widths = [float(bar.get("width")) for bar in bars.findall(f"{name}rect")]
    assert widths[0] > widths[1] > 0  # recall 1 and 0.5, best first


def test_an_empty_report_is_a_page_too():
    Reader().feed(page.page(EvalReport(RECORD, 0.0, ())))


def test_lines_by_quality_and_by_plan():
    assert [line.plan for line in tables.whole(REPORT)] == ["auto", "V:bm25+D[all]:bm25/rrf"]
    assert [line.category for line in tables.by_category(REPORT, ["auto"])] == ["", HOSTILE, "b"]


def test_times_are_median_and_95th_percentile():
    line = tables.whole(REPORT)[0]
    assert (line.ms_p50, line.ms_p95) == (20.0, 20.0) == (metrics.percentile([10.0, 20.0], 0.5), 20.0)


def test_tables_have_as_many_cells_as_their_head():
    rows = [tables.HEAD, *map(tables.cells, REPORT.lines)]
    assert {len(row) for row in rows} == {len(tables.HEAD)}
    marked = tables.markdown(rows)
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in marked} == {len(tables.HEAD) + 1}
    assert len({len(line) for line in tables.aligned(rows)}) == 1
