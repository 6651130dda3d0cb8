//go:build !load

package main

const kills = 12 // in a plain go test
