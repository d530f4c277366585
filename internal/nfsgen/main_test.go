package main

import (
	"bytes"
	"os"
	"testing"
)

// The file that is committed is the one that the texts give.
func TestUpToDate(t *testing.T) {
	want, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../dissect/nfs/numbers/numbers.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("dissect/nfs/numbers/numbers.go is not what the texts give: go generate ./dissect/nfs/numbers")
	}
}
