package main

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/text"
)

// A sqlite is an FTS5 table with the trigram tokenizer, built in one transaction and optimized into one segment.
// A token of three or more characters is a phrase of trigrams; where the index is without positions (detail=none), a GLOB, for
// which FTS5 tests the rows that have all trigrams. A shorter token has no trigram: each row is tested that the longer ones find,
// or every row where there are none.
type sqlite struct {
	glob   bool
	fold   *text.Folder
	file   string
	db     *sql.DB
	build  *sql.Tx
	insert *sql.Stmt
	rowid  int
	byText map[string]*sql.Stmt
}

func newSQLite(dir string, positions bool) (*sqlite, error) {
	detail := "none"
	if positions {
		detail = "full"
	}
	s := &sqlite{glob: !positions, fold: text.NewFolder(false), file: filepath.Join(dir, "articles.db"), byText: map[string]*sql.Stmt{}}
	var err error
	if s.db, err = sql.Open(driver, s.file); err != nil {
		return nil, err
	}
	s.db.SetMaxOpenConns(1)
	for _, statement := range []string{
		"PRAGMA journal_mode = off", "PRAGMA synchronous = off", "PRAGMA cache_size = -1000000", // KiB: all in memory, as everyone's
		// The text is folded already, so its case need not be ignored again.
		"CREATE VIRTUAL TABLE articles USING fts5(text, detail = " + detail + ", tokenize = 'trigram case_sensitive 1')",
	} {
		if _, err := s.db.Exec(statement); err != nil {
			return nil, fmt.Errorf("%s: %w", statement, err)
		}
	}
	if s.build, err = s.db.Begin(); err != nil {
		return nil, err
	}
	s.insert, err = s.build.Prepare("INSERT INTO articles(rowid, text) VALUES(?, ?)")
	return s, err
}

func (s *sqlite) add(a *site.Article) error {
	s.rowid++
	_, err := s.insert.Exec(s.rowid, s.fold.String(joined(a)))
	return err
}

func (s *sqlite) finish() error {
	if _, err := s.build.Exec("INSERT INTO articles(articles) VALUES('optimize')"); err != nil {
		return err
	}
	return s.build.Commit()
}

func (s *sqlite) bytes() (index, stored int64, err error) {
	if err := s.db.QueryRow("SELECT sum(length(block)) FROM articles_data").Scan(&index); err != nil {
		return 0, 0, err
	}
	info, err := os.Stat(s.file)
	if err != nil {
		return 0, 0, err
	}
	return index, info.Size(), nil
}

var globEscaper = strings.NewReplacer("*", "[*]", "?", "[?]", "[", "[[]")

func (s *sqlite) search(dst []int, q string, limit int) ([]int, error) {
	var phrases, where []string
	var args []any
	for _, token := range text.Fields(s.fold.String(q)) {
		switch {
		case isShort(token):
			where = append(where, "instr(text, ?) > 0")
			args = append(args, token)
		case s.glob:
			where = append(where, "text GLOB ?")
			args = append(args, "*"+globEscaper.Replace(token)+"*")
		default:
			phrases = append(phrases, `"`+strings.ReplaceAll(token, `"`, `""`)+`"`)
		}
	}
	if len(phrases) > 0 {
		where = append(where, "articles MATCH ?")
		args = append(args, strings.Join(phrases, " AND "))
	}
	stmt, err := s.prepared("SELECT rowid FROM articles WHERE " + strings.Join(where, " AND ") + " LIMIT ?")
	if err != nil {
		return nil, err
	}
	rows, err := stmt.Query(append(args, limit)...)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", q, err)
	}
	defer rows.Close()
	for rows.Next() {
		var id int
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		dst = append(dst, id-1)
	}
	return dst, rows.Err()
}

func (s *sqlite) prepared(query string) (*sql.Stmt, error) {
	if stmt := s.byText[query]; stmt != nil {
		return stmt, nil
	}
	stmt, err := s.db.Prepare(query)
	s.byText[query] = stmt
	return stmt, err
}

func (s *sqlite) close() error { return s.db.Close() }
