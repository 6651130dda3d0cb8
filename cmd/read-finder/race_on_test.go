//go:build race

package main

// raceDetector slows what it watches about ten times down.
const raceDetector = true
