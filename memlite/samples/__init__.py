"""Invented conversations that `memlite demo` imports, to try every feature before one's own history is in.

Three files of generic messages JSONL cover the shapes that matter: a software project over two months
(`project.jsonl`), a personal thread whose facts change (`personal.jsonl`) and two people talking (`friends.jsonl`).
`questions.json` holds questions and the messages that answer each; `kind` says whether the way there is `meaning`,
an `exact` string or `time`.
"""
