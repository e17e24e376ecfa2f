-- SQLite stores the comments inside the definitions with them: to change one changes the format.
CREATE TABLE study (
    name TEXT PRIMARY KEY,      -- space, direction, version, created
    value TEXT NOT NULL
);
CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    settings TEXT NOT NULL,     -- a JSON object: algorithm, budget, seed and so on
    known INTEGER NOT NULL,     -- points that had ended when it began
    began REAL NOT NULL,        -- seconds since 1970, as all times
    process INTEGER             -- that works on it; NULL: it has ended
);
CREATE TABLE process (
    id INTEGER PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL,
    started TEXT NOT NULL,      -- by the clock of the host, where it is known
    seen REAL NOT NULL          -- the last sign of life
);
CREATE TABLE point (
    id INTEGER PRIMARY KEY,     -- in the order in which they began
    point TEXT NOT NULL,        -- a JSON object of labels, or of {"index", "repr"}
    categories TEXT NOT NULL,   -- a JSON array: the index of each label
    state TEXT NOT NULL,        -- running, value, failed, infeasible
    value REAL, message TEXT, began REAL NOT NULL, ended REAL, seconds REAL,
    run INTEGER,                -- NULL: added by hand
    process INTEGER,
    finished INTEGER            -- 1 for the first that ended, and so on
);
CREATE INDEX by_categories ON point (categories);
CREATE INDEX by_finished ON point (finished);
