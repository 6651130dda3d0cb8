package main

import "testing"

func TestQuery(t *testing.T) { runScripts(t, "query") }
