package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/dissect/nfs"
	"github.com/rdmacap/rdmacap/internal/query"
	"github.com/rdmacap/rdmacap/internal/replay/bind"
	"github.com/rdmacap/rdmacap/internal/replay/requester"
)

// replayBind are the flags of rdmacap replay about another server than the captured one.
type replayBind struct {
	bind      bool
	export    []string
	path      string
	exports   []bind.Export
	keepOwner bool
	ignore    []string
}

func (o *replayBind) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&o.bind, "bind", false, "replace captured file handles, sessions and stateids with those the server returns now")
	f.StringArrayVar(&o.export, "export", nil, "with --bind, `[HANDLE=]PATH` of the mounted directory on the server (docs/replay.md; default: the directory that the capture mounts, or /)")
	f.BoolVar(&o.keepOwner, "keep-owners", false, "with --bind, keep the owner names of the captured client: a live client of that name loses its state")
	f.StringSliceVar(&o.ignore, "ignore", nil, "ignore `FIELD,...` when comparing replies (docs/replay.md)")
}

// check refuses what does nothing without --bind.
func (o *replayBind) check() error {
	switch {
	case o.bind:
		return o.parseExports()
	case len(o.export) > 0:
		return errors.New("--export needs --bind")
	case o.keepOwner:
		return errors.New("--keep-owners needs --bind")
	}
	return nil
}

// parseExports reads where directories are: one without a handle at most.
func (o *replayBind) parseExports() error {
	o.path, o.exports = "", nil
	for _, text := range o.export {
		e, err := bind.ParseExport(text)
		switch {
		case err != nil:
			return fmt.Errorf("--export: %w", err)
		case e.Handle != "":
			o.exports = append(o.exports, e)
		case o.path != "":
			return errors.New("--export: at most one PATH can be without a handle")
		case e.Path == "":
			return errors.New("--export: a path is missing, such as /")
		default:
			o.path = e.Path
		}
	}
	return nil
}

// known refuses names of fields that are none, and those that no reply has.
func (o *replayBind) known(sets *query.Sets) error {
	for i, name := range o.ignore {
		field, err := sets.Set(query.RPCs).Name(strings.TrimSpace(name))
		if err != nil {
			return fmt.Errorf("--ignore: %w", err)
		}
		o.ignore[i] = field
	}
	return nil
}

// apply sets what binds and compares in the options of a replay.
func (o *replayBind) apply(r *requester.Options, of *replayed) error {
	known, err := nfs.Spec()
	if err != nil {
		return err
	}
	r.Specs = append(of.bindings.Own(), known)
	unique := fmt.Sprintf("replay %08x", rand.Uint32())
	options := bind.Options{OwnerSuffix: " " + unique, Ignore: o.ignore}
	if o.keepOwner {
		options.OwnerSuffix = ""
	}
	binder, err := bind.New(options, r.Specs...)
	if err != nil {
		return fmt.Errorf("--ignore: %w", err)
	}
	r.Compare = binder
	if o.bind {
		r.Binder, r.RootPath, r.Exports, r.Owner = binder, o.path, o.exports, "rdmacap "+unique
	}
	return nil
}
