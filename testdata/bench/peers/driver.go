//go:build !cgo_sqlite

package main

import _ "modernc.org/sqlite" // SQLite in Go: whoever has Go can repeat the comparison. -tags cgo_sqlite,sqlite_fts5 takes the C one

const driver = "sqlite"
