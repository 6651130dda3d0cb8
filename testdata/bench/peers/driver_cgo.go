//go:build cgo_sqlite

package main

import _ "github.com/mattn/go-sqlite3" // needs gcc, and the tag sqlite_fts5

const driver = "sqlite3"
