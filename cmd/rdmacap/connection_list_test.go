package main

import (
	"slices"
	"testing"
)

func TestConnectionList(t *testing.T) {
	for text, want := range map[string][]int{"3": {3}, "2,5": {2, 5}, "#3": {3}, "2, 5-7": {2, 5, 6, 7}, "#2-#3": {2, 3}, "0": {0}} {
		var l connectionList
		if err := l.Set(text); err != nil || !slices.Equal(l, want) {
			t.Errorf("%q is %v, %v", text, l, err)
		}
	}
	for _, text := range []string{"", "1,", "x", "-1", "3-", "5-2", "1-99999999", "99999999999999999999", "1-2-3"} {
		var l connectionList
		if err := l.Set(text); err == nil {
			t.Errorf("%q is %v", text, l)
		}
	}
	l := connectionList{1}
	if err := l.Set("4-5"); err != nil || l.String() != "1,4,5" {
		t.Errorf("a second flag makes %s, %v", &l, err)
	}
}
