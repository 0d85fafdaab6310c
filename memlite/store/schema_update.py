"""A step of the schema: records that take the place of others, since when and until when, and the decisions behind it.

A record's text never changes and no decision deletes one. What was decided of each pair stands in `decision`; what
follows from all decisions together, the interval of each record and what closed it, in `validity`, which can be made
again from them. Which records are to be compared is no caller's business: triggers queue what comes, and what is
touched by something that goes.
"""

STEP: tuple[str, ...] = (
    """
    create table validity (
        record_id integer primary key references record (id) on delete cascade,
        valid_from text,                -- UTC; null where no source says when
        valid_to text,                  -- UTC, excluded; null while it holds
        closed_by integer references record (id) on delete set null,
        closed_how text check (closed_how in ('merge', 'supersede', 'retract')),  -- null while it is active
        check (valid_from <= valid_to),
        check (closed_how is not null or (closed_by is null and valid_to is null))
    ) strict
    """,
    "create index validity_closed_by on validity (closed_by) where closed_by is not null",
    "create index validity_over on validity (record_id) where closed_how in ('supersede', 'retract')",
    """
    create table decision (
        old_id integer not null references record (id) on delete cascade,
        new_id integer not null references record (id) on delete cascade,
        kind text not null check (kind in ('merge', 'supersede', 'retract', 'keep')),
        reason text not null,
        keywords real not null,         -- Jaccard of the keywords
        cosine real,                    -- of the vectors; null where the words alone decided
        engine text not null check (engine in ('rules', 'gguf')),
        version text not null,          -- of the rules
        decided_at text not null,
        reverted_at text,               -- since then it counts for nothing, and is not made again
        check (old_id <> new_id),
        primary key (old_id, new_id)
    ) strict, without rowid
    """,
    "create index decision_new on decision (new_id)",
    # What a record can be found by when another speaks of the same: words of its keywords without inflections, what it
    # gives a value to, and a hash of its text.
    """
    create table record_trait (
        record_id integer not null references record (id) on delete cascade,
        kind text not null check (kind in ('word', 'slot', 'text')),
        trait text not null,
        primary key (record_id, kind, trait)
    ) strict, without rowid
    """,
    "create index record_trait_trait on record_trait (kind, trait)",
    # -- which records are still to be compared with the others --
    """
    create table update_queue (
        record_id integer primary key references record (id) on delete cascade
    ) strict
    """,
    """
    create table update_run (           -- a run over the whole store that has not come to its end
        id integer primary key check (id = 1),
        started_at text not null
    ) strict
    """,
    """
    create trigger record_comes after insert on record
    begin insert or ignore into update_queue (record_id) values (new.id); end
    """,
    """
    create trigger record_goes before delete on record
    begin
        insert or ignore into update_queue (record_id)
        select new_id from decision where old_id = old.id and kind <> 'keep'
        union select old_id from decision where new_id = old.id and kind <> 'keep';
    end
    """,
    # What earlier versions extracted has never been compared.
    "insert into update_queue (record_id) select id from record",
)
