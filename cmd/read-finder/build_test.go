package main

import "testing"

func TestBuild(t *testing.T) { runScripts(t, "build") }
