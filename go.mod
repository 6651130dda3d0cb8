module github.com/read-finder/read-finder

go 1.26

require golang.org/x/text v0.43.0
