package main

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain has more garbage come together than main does: hundreds of short runs in one
// process would otherwise spend half of their time on collecting it. It is what a user would have
// chosen, so that no run changes it for those beside it.
func TestMain(m *testing.M) {
	for name, value := range map[string]string{"GOGC": "400", "SOURCE_DATE_EPOCH": "1795225110" /* of reports */} {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	debug.SetGCPercent(400) // the runtime has read GOGC before
	os.Exit(m.Run())
}
