"""A step of the schema: what was forgotten on purpose.

What is left of a forgotten text is a keyed hash: enough to know the text when it comes again, nothing to read. The key
is the store's own, so hashes of two stores cannot be compared. It lies in the same file: whoever has the file can still
try out a guess, as they can with anything else that would know the text again.
"""

STEP: tuple[str, ...] = (
    """
    create table tombstone (
        hash blob primary key check (length(hash) = 16),
        forgotten_at text not null
    ) strict, without rowid
    """,
    """
    create table tombstone_key (
        id integer primary key check (id = 1),
        key blob not null check (length(key) = 32)
    ) strict
    """,
    "insert into tombstone_key (id, key) values (1, randomblob(32))",
    # -- verbatim rows go in one way only: a transaction that says so first, and takes its word back at the end --
    """
    create table forgetting (
        id integer primary key check (id = 1)
    ) strict
    """,
    """
    create trigger message_kept before delete on message when not exists (select 1 from forgetting)
    begin select raise(abort, 'verbatim rows are only deleted by forgetting'); end
    """,
    """
    create trigger tool_use_kept before delete on tool_use when not exists (select 1 from forgetting)
    begin select raise(abort, 'verbatim rows are only deleted by forgetting'); end
    """,
)
