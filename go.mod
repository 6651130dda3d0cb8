module github.com/read-finder/read-finder

go 1.26
