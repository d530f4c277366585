package catalogue_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain has more garbage come together than usual: thousands of short captures would
// otherwise spend a quarter of their time on collecting it.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
