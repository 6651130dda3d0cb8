//go:build load

package main

const kills = 100 // as a task of its own
