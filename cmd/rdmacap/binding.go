package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/xdr/syntax"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/internal/textfile"
)

// loadBindings reads descriptions of RPC programs in XDR language; what they
// describe comes before what is known of NFS.
func loadBindings(files []string) (*dissect.Bindings, error) {
	var specs []*types.Spec
	for _, name := range files {
		text, err := textfile.Read(name, syntax.MaxText)
		if err != nil {
			return nil, fmt.Errorf("--binding: %w", err)
		}
		spec, err := types.ParseAll(syntax.Source{File: name, Text: text, Key: bindingKey(name)})
		if err != nil {
			return nil, fmt.Errorf("--binding: %w", err)
		}
		if len(spec.Programs) == 0 {
			return nil, fmt.Errorf("--binding: %s declares no program", name)
		}
		specs = append(specs, spec)
	}
	return dissect.NewBindings(specs...)
}

// bindingKey is what the keys of a file's fields begin with: its name without
// the ending.
func bindingKey(name string) string {
	base := filepath.Base(name)
	return strings.ToLower(strings.TrimSuffix(base, filepath.Ext(base)))
}
