"""The schema, step by step. The number of steps applied is the file's `user_version`; a released step never changes.

Verbatim text stands in ordinary tables that any SQLite can read (no syntax newer than STRICT, 3.37). The FTS5 tables
read their text through views, so no text is stored twice; `search_text()` is a function memlite registers. The vec0
tables are made when the first vectors come, since their width is the model's (see dense.py).
"""

from memlite.store import schema_forget, schema_records, schema_rooms, schema_update

APPLICATION_ID = 0x6D656D6C  # "meml"

# Everything here can be dropped and made again from the tables (`memlite reindex`).
# Each FTS5 table reads its text through a view, so an integrity check can compare index and text.
# A query that sorts turns by `seq` must also select it: SQLite then pushes `exchange_id = ...` into the view, and else
# reads every message of the store for each exchange (85 exchanges a second into a store of 15,000, and falling).
DERIVED: dict[str, tuple[str, ...]] = {
    "fts_exchange": (
        """
        create view index_exchange (id, text) as
        select id, search_text((
            select group_concat(iif(speaker <> '', speaker || ': ', '') || content, char(10) || char(10))
            from (select seq, speaker, content from exchange_turn where exchange_id = exchange.id order by seq)
        ))
        from exchange
        """,
        """
        create virtual table fts_exchange using fts5 (
            text, content='index_exchange', content_rowid='id', tokenize='porter unicode61 remove_diacritics 2'
        )
        """,
        "insert into fts_exchange (fts_exchange, rank) values ('secure-delete', 1)",
    ),
    "fts_object": (
        """
        create view index_object (id, core, context, files, rooms) as
        select exchange_id, search_text(exchange_core), search_text(specific_context),
               search_text((
                   select group_concat(path, char(10)) from file_touched
                   where file_touched.exchange_id = palace_object.exchange_id
               )),
               search_text((
                   select group_concat(key || ' ' || label, char(10)) from room_object join room on room.id = room_id
                   where room_object.exchange_id = palace_object.exchange_id
               ))
        from palace_object
        """,
        """
        create virtual table fts_object using fts5 (
            core, context, files, rooms,
            content='index_object', content_rowid='id', tokenize='porter unicode61 remove_diacritics 2'
        )
        """,
        "insert into fts_object (fts_object, rank) values ('secure-delete', 1)",
    ),
    "fts_tool": (
        """
        create view index_tool (id, text) as
        select id, search_text(name || char(10) || input || char(10) || output) from tool_use
        """,
        """
        create virtual table fts_tool using fts5 (
            text, content='index_tool', content_rowid='id', tokenize='porter unicode61 remove_diacritics 2'
        )
        """,
        "insert into fts_tool (fts_tool, rank) values ('secure-delete', 1)",
    ),
    "fts_record": schema_records.FTS_RECORD,
}

STEPS: tuple[tuple[str, ...], ...] = (
    (
        # -- where text came from; the last columns let the next import read only what a file has gained --
        """
        create table source (
            id integer primary key,
            kind text not null,             -- the format: claude-code, generic, locomo ...
            path text not null,             -- '' for text handed over by the library or standard input
            size integer,                   -- bytes and mtime when last read
            mtime_ns integer,
            tail_offset integer not null default 0,   -- behind the last complete line
            tail_line integer not null default 0,
            prefix_digest text not null default '',   -- of the bytes before tail_offset
            kept integer not null default 0,          -- records up to tail_offset that are in the store
            skipped text not null default '{}',       -- reason -> records up to tail_offset
            unique (kind, path)
        ) strict
        """,
        """
        create table conversation (
            id integer primary key,
            source_id integer not null references source (id),
            kind text not null,             -- the source's kind: external ids are unique within it
            external_id text not null,
            project text not null default '',
            title text not null default '',
            cwd text not null default '',
            style text not null default 'assistant' check (style in ('assistant', 'peers')),
            added_at text not null,
            unique (kind, external_id)
        ) strict
        """,
        "create index conversation_project on conversation (project)",
        """
        create table message (
            id integer primary key,
            conversation_id integer not null references conversation (id),
            seq integer not null,           -- 0-based place among all records of the conversation
            ply integer,                    -- 0-based place among what was said; null for tool and thinking records
            role text not null check (role in ('user', 'assistant', 'tool')),
            speaker text not null,
            content text not null,
            thinking text not null,
            automated text not null,        -- why no person typed this, or ''
            said_at text,                   -- UTC; null when the source does not say
            utc_offset integer,             -- minutes, as the source wrote it
            external_id text not null,
            identity blob not null unique,  -- 16 bytes; equal for two sightings of one message
            added_at text not null,
            unique (conversation_id, seq)
        ) strict
        """,
        """
        create table tool_use (
            id integer primary key,
            message_id integer not null references message (id),
            call_id text not null,
            name text not null,
            input text not null,
            output text not null,
            is_error integer not null
        ) strict
        """,
        "create index tool_use_message on tool_use (message_id)",
        """
        create trigger message_immutable before update on message
        begin select raise(abort, 'verbatim rows cannot be updated'); end
        """,
        """
        create trigger tool_use_immutable before update on tool_use
        begin select raise(abort, 'verbatim rows cannot be updated'); end
        """,
        # -- exchanges: ranges over messages --
        """
        create table exchange (
            id integer primary key,
            conversation_id integer not null references conversation (id),
            ply_start integer not null,     -- both ends inclusive
            ply_end integer not null,
            seq_start integer not null,     -- the same range, with the tool records that belong to it
            seq_end integer not null,
            part integer not null,          -- 0-based, where one exchange was too long and is cut
            lead_seq integer,               -- of a later part: the question it goes on answering
            said_from text,
            said_to text,
            automated text not null,        -- why no person asked this, or ''
            chars integer not null,         -- length of what was said
            unique (conversation_id, ply_start)
        ) strict
        """,
        "create index exchange_said on exchange (said_from)",
        "create index exchange_automated on exchange (id) where automated <> ''",
        """
        create view exchange_turn (exchange_id, message_id, seq, ply, role, speaker, content, said_at, external_id) as
        select exchange.id, message.id, seq, ply, role, speaker, content, said_at, message.external_id
        from exchange
        join message on message.conversation_id = exchange.conversation_id and seq between seq_start and seq_end
        where ply is not null and (message.automated = '' or exchange.automated <> '')
        union all
        select exchange.id, message.id, seq, ply, role, speaker, content, said_at, message.external_id
        from exchange
        join message on message.conversation_id = exchange.conversation_id and seq = lead_seq
        """,
        """
        create view exchange_text (exchange_id, text) as
        select id, (
            select group_concat(iif(speaker <> '', speaker, role) || ': ' || content, char(10) || char(10))
            from (select seq, role, speaker, content from exchange_turn where exchange_id = exchange.id order by seq)
        )
        from exchange
        """,
        # -- distilled --
        """
        create table palace_object (
            exchange_id integer primary key references exchange (id),
            exchange_core text not null check (exchange_core <> ''),
            specific_context text not null,
            engine text not null check (engine in ('extractive', 'gguf')),
            model text not null,            -- digest of the model that made it, or ''
            prompt_version text not null,   -- of the engine's rules or prompt
            vocab_survival real not null,   -- share of the exchange's 15 rarest words that are in the object
            tokens_before integer not null,
            tokens_after integer not null,
            created_at text not null
        ) strict
        """,
        """
        create table room (
            id integer primary key,
            type text not null check (type in ('file', 'concept', 'workflow')),
            key text not null,
            label text not null,
            project text not null,
            unique (type, key, project)
        ) strict
        """,
        """
        create table room_object (
            room_id integer not null references room (id),
            exchange_id integer not null references palace_object (exchange_id) on delete cascade,
            relevance real not null check (relevance between 0 and 1),
            primary key (room_id, exchange_id)
        ) strict, without rowid
        """,
        "create index room_object_exchange on room_object (exchange_id)",
        """
        create table file_touched (
            exchange_id integer not null references palace_object (exchange_id) on delete cascade,
            path text not null,
            action text not null
                check (action in ('read', 'modified', 'created', 'deleted', 'discussed', 'referenced')),
            primary key (exchange_id, path)
        ) strict, without rowid
        """,
        "create index file_touched_path on file_touched (path)",
        # -- work still to do, and what was decided not to do --
        """
        create table task (
            exchange_id integer not null references exchange (id),
            kind text not null check (kind in ('distill', 'embed', 'embed-verbatim')),
            state text not null check (state in ('pending', 'running', 'failed', 'skipped')),
            attempts integer not null default 0,
            owner text not null default '',
            lease_until real,               -- seconds since 1970; a running task past it may be taken over
            reason text not null default '',
            primary key (exchange_id, kind)
        ) strict, without rowid
        """,
        "create index task_state on task (kind, state)",
        # -- accounting --
        """
        create table ledger (
            id integer primary key,
            source_id integer not null references source (id),
            started_at text not null,
            finished_at text,
            records_in integer not null default 0,
            stored integer not null default 0,
            duplicate integer not null default 0,
            skipped text not null default '{}',       -- reason -> records
            dropped text not null default '{}'        -- kind of block (image ...) -> blocks left out of stored records
        ) strict
        """,
        """
        create table issue (
            ledger_id integer not null references ledger (id),
            line integer not null,
            reason text not null
        ) strict
        """,
        """
        create table vector (
            id integer primary key,
            layer text not null check (layer in ('distilled', 'verbatim')),
            exchange_id integer not null references exchange (id),
            part integer not null,          -- 0-based; an exchange too long for the model has several verbatim parts
            embedding blob not null,        -- one signed byte a dimension; only its direction counts
            unique (layer, exchange_id, part)
        ) strict
        """,
        """
        create table embedding (
            layer text primary key check (layer in ('distilled', 'verbatim')),
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
        *(statement for table in ("fts_exchange", "fts_object", "fts_tool") for statement in DERIVED[table]),
    ),
    (
        # -- objects that models make better, here or elsewhere, and where the words of an object stand --
        # SQLite cannot alter a CHECK, so three tables are made anew. The old ones go children first: dropping a table
        # deletes its rows, and would take along whatever refers to them. The keyword index keeps its rows, since it
        # reads them by name; only its view must not be in the way of the renaming.
        "drop view index_object",
        "alter table room_object rename to old_room_object",
        "alter table file_touched rename to old_file_touched",
        "alter table palace_object rename to old_palace_object",
        """
        create table palace_object (
            exchange_id integer primary key references exchange (id),
            exchange_core text not null check (exchange_core <> ''),
            specific_context text not null,
            engine text not null check (engine in ('extractive', 'gguf', 'external')),
            model text not null,            -- digest of the model's file, name of an external one, or ''
            prompt_version text not null,   -- of the engine's rules or prompt
            vocab_survival real not null,   -- share of the exchange's 15 rarest words that are in the object
            asked_survival real,            -- share of the words it asks with that are; null before schema 2
            tokens_before integer not null,
            tokens_after integer not null,
            evidence text,                  -- JSON [{field, message_id, start, end}]: characters; null before schema 2
            created_at text not null
        ) strict
        """,
        """
        create table room_object (
            room_id integer not null references room (id),
            exchange_id integer not null references palace_object (exchange_id) on delete cascade,
            relevance real not null check (relevance between 0 and 1),
            primary key (room_id, exchange_id)
        ) strict, without rowid
        """,
        """
        create table file_touched (
            exchange_id integer not null references palace_object (exchange_id) on delete cascade,
            path text not null,
            action text not null
                check (action in ('read', 'modified', 'created', 'deleted', 'discussed', 'referenced')),
            primary key (exchange_id, path)
        ) strict, without rowid
        """,
        """
        insert into palace_object
        select exchange_id, exchange_core, specific_context, engine, model, prompt_version, vocab_survival, null,
               tokens_before, tokens_after, null, created_at
        from old_palace_object
        """,
        "insert into room_object select room_id, exchange_id, relevance from old_room_object",
        "insert into file_touched select exchange_id, path, action from old_file_touched",
        "drop table old_room_object",
        "drop table old_file_touched",
        "drop table old_palace_object",
        "create index room_object_exchange on room_object (exchange_id)",
        "create index file_touched_path on file_touched (path)",
        DERIVED["fts_object"][0],
        # -- what models tried, so that none tries twice what it cannot do --
        """
        create table upgrade (
            exchange_id integer primary key references palace_object (exchange_id) on delete cascade,
            engine text not null check (engine in ('gguf', 'external')),
            model text not null,            -- digest of its file, or the name an external one was given
            name text not null,             -- what to call it
            prompt_version text not null,
            outcomes text not null,         -- JSON: field -> improved, same, or why it was kept as it was
            seconds real not null,          -- that the model took
            tried_at text not null
        ) strict
        """,
        "alter table task rename to old_task",
        """
        create table task (
            exchange_id integer not null references exchange (id),
            kind text not null check (kind in ('distill', 'upgrade', 'embed', 'embed-verbatim')),
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
        select exchange_id, kind, state, 0.0, attempts, owner, lease_until, reason from old_task
        """,
        "drop table old_task",
        "create index task_state on task (kind, state, priority)",
    ),
    schema_records.STEP,
    schema_update.STEP,
    schema_rooms.STEP,
    schema_forget.STEP,
)
