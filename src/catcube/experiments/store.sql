-- SQLite stores the comments inside the definitions with them: to change one changes the format.
CREATE TABLE metadata (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE configuration (  -- in the order of the plan
    id INTEGER PRIMARY KEY, experiment TEXT NOT NULL, instance TEXT NOT NULL,
    algorithm TEXT NOT NULL, representation TEXT NOT NULL, runs INTEGER NOT NULL,
    digest TEXT NOT NULL,  -- of all that determines a run, its number aside
    body TEXT NOT NULL,    -- the whole configuration with its board, as JSON
    checksum INTEGER NOT NULL
);
CREATE TABLE session (  -- which code has made a run, and where
    id INTEGER PRIMARY KEY, began REAL NOT NULL, version TEXT NOT NULL, sources TEXT NOT NULL,
    machine TEXT NOT NULL,  -- a JSON object: python, numpy, numba, system, processor, cores
    checksum INTEGER NOT NULL
);
CREATE TABLE run (
    configuration INTEGER NOT NULL REFERENCES configuration, number INTEGER NOT NULL,
    session INTEGER NOT NULL REFERENCES session, finished REAL NOT NULL,
    seed INTEGER NOT NULL, value REAL NOT NULL, evaluations_to_best INTEGER NOT NULL,
    evaluations INTEGER NOT NULL, iterations INTEGER NOT NULL,
    ending INTEGER NOT NULL,  -- 0: budget, 1: target, 2: converged
    seconds REAL NOT NULL, trace BLOB NOT NULL,
    point BLOB NOT NULL,  -- the best one: width, category indices; empty if it was not kept
    checksum INTEGER NOT NULL,
    PRIMARY KEY (configuration, number)
);
CREATE TABLE tally (  -- of the runs of a configuration that a session has made
    configuration INTEGER NOT NULL REFERENCES configuration,
    session INTEGER NOT NULL REFERENCES session,
    runs INTEGER NOT NULL, evaluations INTEGER NOT NULL, seconds REAL NOT NULL,
    finished REAL NOT NULL,      -- the last one
    checksums INTEGER NOT NULL,  -- of the runs, joined by XOR
    checksum INTEGER NOT NULL,
    PRIMARY KEY (configuration, session)
) WITHOUT ROWID;
CREATE TABLE failure (
    configuration INTEGER NOT NULL REFERENCES configuration, number INTEGER NOT NULL,
    message TEXT NOT NULL, session INTEGER NOT NULL REFERENCES session, finished REAL NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (configuration, number)
);
