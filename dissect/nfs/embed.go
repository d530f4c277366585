package nfs

import (
	"embed"
	"strings"
	"sync"

	"github.com/rdmacap/rdmacap/dissect/xdr/syntax"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
)

//go:embed *.x
var texts embed.FS

// Sources returns the texts, in the order of their names. The keys of a text's
// fields begin with its name, those of all texts about NFS version 4 with
// "nfs4".
func Sources() ([]syntax.Source, error) {
	entries, err := texts.ReadDir(".")
	if err != nil {
		return nil, err
	}
	sources := make([]syntax.Source, len(entries))
	for i, e := range entries {
		text, err := texts.ReadFile(e.Name())
		if err != nil {
			return nil, err
		}
		key := e.Name()[:strings.IndexAny(e.Name(), "_.")]
		sources[i] = syntax.Source{File: e.Name(), Text: string(text), Key: key}
	}
	return sources, nil
}

// Spec returns what the texts declare. They are parsed when it is first called
// and never again; any number of goroutines may call it.
func Spec() (*types.Spec, error) { return spec() }

var spec = sync.OnceValues(func() (*types.Spec, error) {
	sources, err := Sources()
	if err != nil {
		return nil, err
	}
	return types.ParseAll(sources...)
})
