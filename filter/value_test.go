package filter

import (
	"strings"
	"testing"
)

// TestValue reads values as expressions have them.
func TestValue(t *testing.T) {
	s, err := NewSet(
		Field{Name: "a.number", Kind: Uint},
		Field{Name: "a.word", Kind: Enum, Names: func(yield func(string, uint64) bool) { _ = yield("ONE", 1) && yield("TWO", 2) }},
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		field, value string
		want         uint64
		wrong        string
	}{
		{"a.number", "7", 7, ""},
		{"a.number", "0x1F", 31, ""},
		{"a.word", "TWO", 2, ""},
		{"a.word", "9", 9, ""},
		{"a.word", "THREE", 0, "no value named"},
		{"a.number", "seven", 0, "a.number takes"},
		{"a.number", "7 8", 0, "not a value"},
		{"a.number", "", 0, "not a value"},
		{"b", "7", 0, "there is no field"},
	} {
		got, err := s.Value(tt.field, tt.value)
		if got != tt.want || (err != nil) != (tt.wrong != "") || err != nil && !strings.Contains(err.Error(), tt.wrong) {
			t.Errorf("%s = %s: %d, %v", tt.field, tt.value, got, err)
		}
	}
}
