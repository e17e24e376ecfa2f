"""A store that was changed by hand, made whole again: for tests of what checksums cannot tell."""

import sqlite3

from catcube.experiments.tables import (
    RUN,
    TABLES,
    ConfigurationRow,
    metadata_checksum,
    run_checksum,
    text_checksum,
)


def change(path, *statements):
    """Execute statements, each with its values, without checksums."""
    connection = sqlite3.connect(path)
    with connection:
        for statement, *values in statements:
            connection.execute(statement, values)
    connection.close()


def forge(path, *statements):
    """Change a store and make its checksums fit."""
    change(path, *statements)
    seal(path)
    return path


def seal(path):
    """Give all rows the checksums, and the tallies the sums, that fit what is there."""
    connection = sqlite3.connect(path)
    with connection:
        _seal(connection)
    connection.close()


def _seal(connection):
    ask = connection.execute
    identity = text_checksum(
        list(ask("SELECT value FROM metadata WHERE name = 'identity'").fetchone())
    )
    ask("DELETE FROM tally")
    made = (
        "SELECT configuration, session, COUNT(*), SUM(evaluations), SUM(seconds), MAX(finished), 0 "
        "FROM run GROUP BY configuration, session"
    )
    starts = {
        row[0]: text_checksum(row, identity)
        for row in ask(f"SELECT {', '.join(ConfigurationRow._fields)} FROM configuration")
    }
    sums = {}
    for rowid, *row in ask(f"SELECT rowid, {', '.join(RUN)}, trace, point FROM run").fetchall():
        checksum = run_checksum(row, starts[row[0]])
        ask("UPDATE run SET checksum = ? WHERE rowid = ?", (checksum, rowid))
        sums[row[0], row[2]] = sums.get((row[0], row[2]), 0) ^ checksum
    for row in ask(made).fetchall():
        whole = (*row[:-1], sums[row[0], row[1]], 0)
        ask(f"INSERT INTO tally VALUES ({', '.join('?' * len(whole))})", whole)
    for kind, table in TABLES.items():
        columns = kind._fields
        for row in ask(f"SELECT {', '.join(columns)} FROM {table}").fetchall():
            key = columns[: 1 if "id" in columns else 2]
            where = " AND ".join(f"{name} = ?" for name in key)
            ask(
                f"UPDATE {table} SET checksum = ? WHERE {where}",
                (text_checksum(row, identity), *row[: len(key)]),
            )
    named = dict(ask("SELECT name, value FROM metadata WHERE name != 'checksum'"))
    ask("UPDATE metadata SET value = ? WHERE name = 'checksum'", (str(metadata_checksum(named)),))
