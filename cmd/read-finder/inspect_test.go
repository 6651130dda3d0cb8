package main

import "testing"

func TestInspect(t *testing.T) { runScripts(t, "inspect") }
