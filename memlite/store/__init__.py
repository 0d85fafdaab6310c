"""SQLite: the only place that speaks SQL. Functions take a connection; writers run inside `Store.transaction`."""
