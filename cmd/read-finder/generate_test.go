package main

import "testing"

func TestGenerate(t *testing.T) { runScripts(t, "generate") }
