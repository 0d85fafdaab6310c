"""The third step of the schema: records, and the tables whose CHECKs must now admit them.

It stands apart from the first two only for the length of their file.
"""

# The index of records, as schema.DERIVED holds those of the other tables. FTS5 lets its view use no virtual table, so
# none of JSON's functions that give rows; the marks of a JSON list of texts are no words, and are indexed as nothing.
FTS_RECORD = (
    """
    create view index_record (id, content, reason, purpose, keywords) as
    select id, search_text(content), search_text(reason), search_text(purpose), search_text(keywords) from record
    """,
    """
    create virtual table fts_record using fts5 (
        content, reason, purpose, keywords,
        content='index_record', content_rowid='id', tokenize='porter unicode61 remove_diacritics 2'
    )
    """,
    "insert into fts_record (fts_record, rank) values ('secure-delete', 1)",
)

STEP = (
    # -- records: one claim each, with its dimensions --
    # When it happened (time_*) and when it was said (said_at) are two things. time_start and time_end are as precise as
    # what was said: 2023, 2023-05 or 2023-05-08, both included, null where open or unknown. time_from and time_until
    # are the first and the last day of the same, since only full days compare.
    """
    create table record (
        id integer primary key,
        conversation_id integer not null references conversation (id),
        type text not null check (type in ('fact', 'episodic', 'profile')),
        content text not null check (content <> ''),
        time_start text,
        time_end text,
        time_from text check (date(time_from) = time_from),
        time_until text check (date(time_until) = time_until),
        location text not null default '',
        reason text not null default '',
        purpose text not null default '',
        keywords text not null default '[]' check (json_type(keywords) = 'array'),  -- JSON, as they were written
        speaker text not null default '',
        said_at text,                   -- UTC; null when the source does not say
        confidence real not null default 1.0 check (confidence between 0 and 1),
        state text not null default 'active' check (state in ('active', 'superseded')),
        engine text not null check (engine in ('extractive', 'gguf')),
        model text not null,            -- digest of the model's file, or ''
        version text not null,          -- of the engine's rules or prompt
        created_at text not null,
        check (length(time_start) in (4, 7, 10) and length(time_end) in (4, 7, 10)),
        check ((time_start is null) = (time_from is null) and (time_end is null) = (time_until is null)),
        check (time_from = substr(time_start || '-01-01', 1, 10)),
        check (substr(time_until, 1, length(time_end)) = time_end),
        check (substr(date(time_until, '+1 day'), 1, length(time_end)) <> time_end),
        check (time_from <= time_until)
    ) strict
    """,
    "create index record_conversation on record (conversation_id)",
    "create index record_time on record (time_from, time_until)",
    "create index record_said on record (said_at)",
    "create index record_speaker on record (speaker collate nocase)",
    "create index record_superseded on record (id) where state <> 'active'",
    """
    create table record_source (
        record_id integer not null references record (id) on delete cascade,
        message_id integer not null references message (id),
        span_start integer not null,    -- characters of the message's content
        span_end integer not null,
        check (0 <= span_start and span_start < span_end),
        primary key (record_id, message_id, span_start)
    ) strict, without rowid
    """,
    "create index record_source_message on record_source (message_id)",
    """
    create table record_keyword (
        record_id integer not null references record (id) on delete cascade,
        keyword text not null,          -- case and plural folded: memlite.text.slug.stem
        primary key (record_id, keyword)
    ) strict, without rowid
    """,
    "create index record_keyword_keyword on record_keyword (keyword)",
    # Exchanges are cut anew when a conversation grows, so a record knows its messages, and finds its exchange by them.
    """
    create view record_exchange (record_id, exchange_id, message_id) as
    select record_id, exchange.id, message_id
    from record_source
    join message on message.id = message_id
    join exchange on exchange.id = (
        select id from exchange as earlier
        where earlier.conversation_id = message.conversation_id and earlier.ply_start <= message.ply
        order by ply_start desc limit 1
    )
    where message.ply <= exchange.ply_end
    """,
    # -- what models read, so that none reads twice where it found nothing to add --
    """
    create table model_reading (
        exchange_id integer primary key references exchange (id) on delete cascade,
        model text not null,            -- digest of its file
        version text not null,          -- of the prompt
        read_at text not null
    ) strict
    """,
    *FTS_RECORD,
    # -- what waits for the records of an exchange, and their vectors --
    "alter table task rename to old_task",
    """
    create table task (
        exchange_id integer not null references exchange (id),
        kind text not null
            check (kind in (
                'distill', 'extract', 'upgrade', 'upgrade-record', 'embed', 'embed-record', 'embed-verbatim'
            )),
        state text not null check (state in ('pending', 'running', 'failed', 'skipped')),
        priority real not null default 0,   -- highest first
        attempts integer not null default 0,
        owner text not null default '',
        lease_until real,               -- seconds since 1970; a running task past it may be taken over
        reason text not null default '',
        primary key (exchange_id, kind)
    ) strict, without rowid
    """,
    """
    insert into task
    select exchange_id, kind, state, priority, attempts, owner, lease_until, reason from old_task
    """,
    "drop table old_task",
    "create index task_state on task (kind, state, priority)",
    # What earlier versions imported has no records yet.
    "insert into task (exchange_id, kind, state) select id, 'extract', 'pending' from exchange where automated = ''",
    "alter table vector rename to old_vector",
    """
    create table vector (
        id integer primary key,
        layer text not null check (layer in ('distilled', 'verbatim', 'records')),
        exchange_id integer not null references exchange (id),
        part integer not null,          -- verbatim: the 0-based part of a long exchange; records: the record's id
        embedding blob not null,        -- one signed byte a dimension; only its direction counts
        unique (layer, exchange_id, part)
    ) strict
    """,
    "insert into vector select id, layer, exchange_id, part, embedding from old_vector",
    "drop table old_vector",
    "alter table embedding rename to old_embedding",
    """
    create table embedding (
        layer text primary key check (layer in ('distilled', 'verbatim', 'records')),
        model text not null,
        digest text not null,
        dims integer not null,
        pooling text not null,
        prefix_query text not null,
        prefix_text text not null,
        max_tokens integer not null,
        created_at text not null
    ) strict
    """,
    """
    insert into embedding
    select layer, model, digest, dims, pooling, prefix_query, prefix_text, max_tokens, created_at from old_embedding
    """,
    "drop table old_embedding",
)
