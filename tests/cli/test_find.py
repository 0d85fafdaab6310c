"""search, show and context: what reaches stdout, what stderr, and what every option does."""

import json
import re

import click
import pytest

from memlite.memory import Memory
from tests.embedders import WordEmbedder


def found(result):
    return json.loads(result.stdout)["hits"]


def ids(result):
    return [hit["exchange_id"] for hit in found(result)]


def test_a_hit_shows_rank_score_date_place_id_core_and_snippet(run, db):
    result = run("search", "Lindekaai", "27", "-n", 1, db=db)
    hit = found(run("search", "Lindekaai 27", "-n", 1, "--json", db=db))[0]
    head, *rest = result.stdout.splitlines()
    assert head.split()[:3] == ["1", f"{hit['score']:.3f}", hit["said_at"][:10]]
    assert head.endswith(f"personal · {hit['conversation']['title']}  [{hit['exchange_id']}]")
    assert rest[0].strip() == hit["object"]["exchange_core"]
    assert hit["snippet"] in result.stdout


def test_notes_go_to_stderr(run, db):
    result = run("search", "redis", "--since", "2026-03", "--until", "2026-03", db=db)
    assert re.search(r"said from 2026-03-01 00:00 to 2026-04-01 00:00 \(\S+\)", result.stderr)
    assert re.search(r"bm25:verbatim gave \d+; dense:distilled gave \d+", result.stderr)
    assert "wait" not in result.stderr
    assert "gave" not in result.stdout


@pytest.mark.parametrize("fusion", ["blend", "combmnz", "hybrid", "rrf", "weighted"])
def test_the_fusion_can_be_chosen(run, db, fusion):
    hits = found(run("search", "why not redis", "--mode", "cross", "--fusion", fusion, "--json", db=db))
    assert hits
    for hit in hits:
        assert hit["score"] == pytest.approx(sum(step["contribution"] for step in hit["trace"]))


def test_a_route_that_did_not_run_says_why(run, new_db):
    run("add", "a note about nothing in particular", "--no-distill", db=new_db)
    assert "dense:distilled did not run: nothing is embedded yet" in run("search", "note", db=new_db).stderr


@pytest.mark.parametrize("command", ["search", "context"])
def test_a_date_in_no_known_form_is_a_mistake(command, run, db):
    assert "2026-05-03" in run(command, "x", "--since", "the day before", db=db, code=2).stderr


@pytest.mark.parametrize("args", [("redis -library",), ("--", "-library redis"), ("redis", "--", "-library")])
def test_words_may_be_left_out_with_a_minus(args, run, db):
    everything = found(run("search", "redis", "--mode", "verbatim", "--json", db=db))
    expected = {hit["exchange_id"] for hit in everything if "librar" not in hit["text"].casefold()}
    assert 0 < len(expected) < len(everything)
    assert set(ids(run("search", "--json", "--mode", "verbatim", *args, db=db))) == expected


def test_pages_join(run, db):
    whole = ids(run("search", "the database", "--top-k", 6, "--json", db=db))
    pages = [ids(run("search", "the database", "-k", 3, "--offset", at, "--json", db=db)) for at in (0, 3)]
    assert pages[0] + pages[1] == whole
    assert run("search", "the database", "--limit", 3, "--offset", 3, db=db).stdout.startswith(" 4  ")


@pytest.mark.parametrize("mode", ["auto", "cross", "verbatim", "distilled", "bm25:distilled+dense:distilled"])
def test_modes(mode, run, db):
    answer = json.loads(run("search", "redis", "--mode", mode, "--json", db=db).stdout)
    assert answer["plan"] == mode
    assert answer["hits"]


def test_filters_narrow(run, db):
    everything = run("search", "redis", "move", "concert", "-n", 100, "--json", db=db)
    places = {hit["conversation"]["project"] for hit in found(everything)}
    assert places == {"tidewatch", "friends", "personal"}
    only = run("search", "redis", "move", "concert", "-n", 100, "--json", "--project", "friends", db=db)
    assert {hit["conversation"]["project"] for hit in found(only)} == {"friends"}
    one = run("search", "redis", "move", "concert", "--json", "--conversation", "chat-march", db=db)
    assert {hit["conversation"]["external_id"] for hit in found(one)} == {"chat-march"}
    assert ids(run("search", "redis", "--source", "generic", "--json", db=db))


def touched(hit):
    return [file["path"] for file in hit["object"]["files"]] if hit["object"] else []


def keys(hit):
    return [room["key"] for room in hit["object"]["rooms"]] if hit["object"] else []


def test_files_and_rooms_narrow(run, db):
    path = "migrations/0007_utc.sql"
    by_path = found(run("search", "--file", path, "--json", db=db))
    assert by_path
    assert all(any(f"/{place}".endswith(f"/{path}") for place in touched(hit)) for hit in by_path)
    assert ids(run("search", "--file", path.split("/")[1], "--json", db=db)) == [hit["exchange_id"] for hit in by_path]
    assert not ids(run("search", "--file", "0007%utc.sql", "--json", db=db))
    key = keys(by_path[0])[0]
    by_room = found(run("search", "--room", key.replace("-", " ").upper(), "--json", db=db))
    assert by_path[0]["exchange_id"] in [hit["exchange_id"] for hit in by_room]
    assert all(key in keys(hit) for hit in by_room)
    for option, value in (("--file", path), ("--room", key)):
        said = run("context", "the database", option, value, db=db).stdout
        elsewhere = run("context", "the database", option, "nowhere", db=db).stdout
        assert said
        assert elsewhere == ""


def test_speakers_and_length_narrow(run, db):
    everything = found(run("search", "--project", "friends", "-n", 100, "--json", db=db))
    names = {line.split(":")[0] for hit in everything for line in hit["text"].split("\n\n")}
    name = sorted(names - {"user", "assistant"})[0]
    by_one = found(run("search", "--speaker", name, "-n", 100, "--json", db=db))
    assert 0 < len(by_one) < 115
    assert all(f"{name}: " in hit["text"] for hit in by_one)
    assert name in run("context", "when do we meet", "--speaker", name, db=db).stdout
    assert not ids(run("search", "--speaker", name.upper(), "--json", db=db))
    assert found(run("search", "--min-messages", 2, "--json", db=db))
    assert not ids(run("search", "redis", "--min-messages", 10_000, "--json", db=db))


def test_one_of_each_conversation(run, db):
    places = [hit["conversation_id"] for hit in found(run("search", "the database", "-n", 500, "--json", db=db))]
    grouped = run("search", "the database", "-n", 500, "--group", "conversation", "--json", db=db)
    assert len(set(places)) < len(places)
    assert [hit["conversation_id"] for hit in found(grouped)] == list(dict.fromkeys(places))


def test_fields_are_what_keywords_look_at(run, db):
    asked = ("search", "0007_utc", "--mode", "bm25:distilled", "--json", "--fields")
    by = {name: set(ids(run(*asked, name, db=db))) for name in ("core", "core+files", "core+rooms", "all")}
    assert by["core"] < by["all"] == by["core+files"] | by["core+rooms"]
    by_file = {hit["exchange_id"] for hit in found(run("search", "--file", "0007_utc.sql", "-n", 99, "--json", db=db))}
    assert by_file <= by["core+files"]


@pytest.mark.parametrize(
    ("options", "known"),
    [
        (("--mode", "psychic"), "auto, cross, verbatim, distilled, records, bm25:verbatim, dense:verbatim"),
        (("--recall", "sometimes"), "'always'"),
        (("--type", "opinion"), "'episodic'"),
        (("--mode", "bm25:verbatim+x"), "bm25:tools"),
        (("--fusion", "cold"), "'hybrid'"),
        (("--fields", "files"), "'core+files'"),
        (("--group", "project"), "'conversation'"),
        (("--sort", "best"), "'newest'"),
        (("--offset", -1), "x>=0"),
        (("--limit", 0), "x>=1"),
        (("--min-messages", -1), "x>=0"),
    ],
)
def test_a_choice_that_is_not_there_lists_those_that_are(options, known, run, db):
    assert known in " ".join(run("search", "redis", *options, db=db, code=2).stderr.split())


def test_dates_narrow_under_either_name(run, db):
    for names in (("--since", "--until"), ("--after", "--before")):
        days = [
            hit["said_at"] for hit in found(run("search", names[0], "2026-04-01", names[1], "2026-04", "--json", db=db))
        ]
        assert days
        assert all("2026-03-31" < day < "2026-05-01" for day in days)


def test_sort(run, db):
    for sort in ("newest", "oldest"):
        days = [hit["said_at"] for hit in found(run("search", "database", "--sort", sort, "--json", db=db))]
        assert days == sorted(days, reverse=sort == "newest")
        assert len(set(days)) > 1


def test_empty_options_count_as_not_given(run, db):
    options = ("--project", "--source", "--conversation", "--since", "--until", "--file", "--room", "--speaker")
    empty = [part for option in options for part in (option, "")]
    assert run("search", "redis", "--json", *empty, db=db).stdout == run("search", "redis", "--json", db=db).stdout


def test_filters_alone_list_and_nothing_at_all_is_a_mistake(run, db):
    assert ids(run("search", "--project", "friends", "--json", db=db))
    assert "nothing to look for" in run("search", db=db, code=2).stderr
    assert "nothing to look for" in run("search", " ", "--project", "", db=db, code=2).stderr


def test_automated_and_tools_are_searched_when_asked(run, new_db):
    call = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "systemctl restart quokka"}}
    records = [
        ("user", "u1", "please restart the service on the small server for me, it hangs", None),
        ("assistant", "u2", [{"type": "text", "text": "I restart it now."}, call], "u1"),
        ("user", "u3", "<command-name>/compact</command-name>", "u2"),
    ]
    lines = [
        json.dumps(
            {
                "type": role,
                "uuid": uuid,
                "parentUuid": parent,
                "sessionId": "s1",
                "cwd": "/home/me/app",
                "timestamp": f"2026-05-03T10:0{number}:00Z",
                "message": {"role": role, "content": content},
            }
        )
        for number, (role, uuid, content, parent) in enumerate(records)
    ]
    run("import", "-", db=new_db, stdin="\n".join(lines))
    assert not ids(run("search", "quokka", "--json", db=new_db))
    assert ids(run("search", "quokka", "--with-tools", "--json", db=new_db))
    assert not ids(run("search", "compact", "--mode", "verbatim", "--json", db=new_db))
    assert ids(run("search", "compact", "--mode", "verbatim", "--include-automated", "--json", db=new_db))
    shown = run("show", ids(run("search", "restart", "--json", db=new_db))[0], db=new_db).stdout
    assert "go on with: cd /home/me/app && claude --resume s1" in shown


def test_explain_adds_up(run, db):
    shown = run("search", "redis", "--explain", "-n", 2, db=db).stdout
    parts = [float(line.split()[-1]) for line in shown.splitlines() if " adds " in line]
    sums = [float(line.split()[-1]) for line in shown.splitlines() if line.strip().startswith("sum ")]
    assert len(sums) == 2
    assert sum(parts) == pytest.approx(sum(sums), abs=1e-3)
    assert "bm25:verbatim" in shown


def test_full_shows_whole_exchanges(run, db):
    hit = found(run("search", "redis", "-n", 1, "--json", db=db))[0]
    last = hit["text"].splitlines()[-1]
    assert last not in run("search", "redis", "-n", 1, db=db).stdout
    assert last in run("search", "redis", "-n", 1, "--full", db=db).stdout


def test_nothing_found(run, db):
    result = run("search", "zyzzyva", db=db)
    assert result.stdout == ""
    assert "nothing found" in result.stderr
    assert found(run("search", "zyzzyva", "--fail-empty", "--json", db=db, code=1)) == []
    run("search", "redis", "--fail-empty", db=db)


def test_a_filter_that_names_nothing_lists_what_there_is(run, db):
    notes = run("search", "redis", "--project", "tidewach", db=db).stderr
    assert "there is no project 'tidewach'. There is: tidewatch, friends, personal" in notes
    notes = run("search", "redis", "--source", "codex", db=db).stderr
    assert "there is no source 'codex'. There is: generic" in notes
    assert "There is" not in run("search", "zyzzyva", "--project", "friends", db=db).stderr


def test_words_are_bold_on_a_terminal_only(run, db, monkeypatch):
    plain = run("search", "redis", "-n", 1, db=db).stdout
    coloured = run("search", "redis", "-n", 1, db=db, color=True).stdout
    assert "\x1b" not in plain
    assert "\x1b[1mRedis\x1b[0m" in coloured
    assert click.unstyle(coloured) == plain
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run("search", "redis", "-n", 1, db=db, color=True).output


def test_show_gives_messages_word_for_word(run, db):
    with Memory(db, embedder=WordEmbedder()) as memory:
        view = memory.get(memory.search("migrations/0007_utc.sql", mode="verbatim")[0].exchange_id)
    shown = run("show", view.exchange_id, db=db).stdout
    for message in view.messages:
        assert message.content in shown
    assert view.object.exchange_core in shown
    assert all(room.label in shown for room in view.object.rooms)
    assert all(f"file {file.action}: {file.path}" in shown for file in view.object.files)
    assert view.object.files


def test_show_of_an_id_that_is_not_there(run, db):
    assert "999" in run("show", 999, db=db, code=2).stderr
    run("show", "seven", db=db, code=2)


def test_context_is_the_pack_and_nothing_else(run, db):
    options = ("--budget", 300, "--limit", 5, "--project", "tidewatch")
    result = run("context", "why", "not", "redis", *options, db=db)
    packed = json.loads(run("context", "why not redis", *options, "--json", db=db).stdout)
    assert result.stdout == packed["text"] + "\n"
    assert packed["tokens"] <= 300
    assert f"{packed['tokens']} of 300 tokens" in result.stderr


def test_context_that_fits_nowhere(run, db):
    result = run("context", "redis", "--budget", 5, db=db)
    assert result.stdout == ""
    assert "nothing found that fits 5 tokens" in result.stderr
    run("context", "redis", "--budget", 0, db=db, code=2)


def test_context_takes_the_filters_of_search(run, db):
    options = ("--mode", "verbatim", "--source", "generic", "--since", "2026-04", "--until", "2026-04")
    text = run("context", "database", *options, db=db).stdout
    days = re.findall(r"^\[\d+\] (\S+),", text, re.M)
    assert days
    assert all(day.startswith("2026-04") or day == "2026-03-31" for day in days)


def test_explain_shows_what_was_understood(run, db):
    asks = ("what", "did", "you", "suggest", "last", "month", "in", "Porto")
    shown = run("search", *asks, "--explain", "--asked-at", "2026-04-15", db=db).stdout
    told = dict(line.split(None, 1) for line in shown.split("\n\n")[0].splitlines() if not line.startswith("asks"))
    assert told["times"] == "'last month': 2026-03-01 to 2026-03-31"
    assert told["asked"] == "2026-04-15"
    assert told["places"] == "Porto"
    assert "'did you suggest'" in told["assistant"]
    analysis = json.loads(run("search", *asks, "--asked-at", "2026-04-15", "--json", db=db).stdout)["query"]["analysis"]
    assert analysis["times"][0]["first"] == "2026-03-01"
    assert analysis["needs_assistant"]
    assert "dimensional:records gave" in run("search", *asks, db=db).stderr


def test_the_words_of_the_assistant_come_on_demand(run, db):
    def said(*options):
        return {hit["assistant"] for hit in found(run("search", "redis", *options, "--json", db=db))}

    assert said() == said("--recall", "off") == {""}
    assert "" not in said("--recall", "always", "--project", "tidewatch")
    packed = run("context", "redis", "--recall", "always", "--asked-at", "today", "--json", db=db)
    assert "assistant" in {item["kind"] for item in json.loads(packed.stdout)["items"]}
    assert "assistant:" in run("search", "redis", "--recall", "always", db=db).stdout


def test_the_type_of_a_record_narrows(run, db):
    for type in ("fact", "episodic"):
        hits = found(run("search", "redis", "--type", type, "--mode", "records", "--json", db=db))
        assert {record["type"] for hit in hits for record in hit["records"]} == {type}


def test_a_model_reads_the_question_when_told_to(run, db):
    asked = json.loads(run("search", "redis", "--analyser", "gguf", "--json", db=db).stdout)
    assert asked["query"]["analysis"]["keywords"] == ["redis"]  # the stand-in says nothing that can be read
    assert "'gguf'" in run("search", "redis", "--analyser", "oracle", db=db, code=2).stderr
