//go:build load

package main

// Sizes of the load tests as a task of their own.
const (
	loadReloads  = 1000
	loadIdle     = 2000
	loadDripping = 200
	loadSeconds  = 15
	fuzzedBytes  = 100_000
)
