package main

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain has more garbage come together than main does: hundreds of short runs in one
// process would otherwise spend a quarter of their time on collecting it.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	if err := os.Setenv("SOURCE_DATE_EPOCH", "1795225110"); err != nil { // of reports
		panic(err)
	}
	os.Exit(m.Run())
}
