//go:build !load

package main

// Sizes of the load tests in a plain go test.
const (
	loadReloads  = 50
	loadIdle     = 500
	loadDripping = 50
	loadSeconds  = 2
	fuzzedBytes  = 2000
)
