package rules

import "testing"

// TestSpelt holds how an ID may be written.
func TestSpelt(t *testing.T) {
	for name, want := range map[string]string{
		"ddp-5": "DDP-005", "DDP5b": "DDP-005B", "v2-9": "V2-009", "ddp": "DDP", "x-1234": "X-1234", "DDP-005b": "DDP-005B",
	} {
		if got := spelt(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
