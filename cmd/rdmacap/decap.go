package main

import "github.com/rdmacap/rdmacap/capture/link"

// decap is the value of a flag: which tunnels are looked into. All are until it is set.
type decap struct {
	list string
	left link.Tunnels // the others
}

// Set reads the list as the user gave it.
func (d *decap) Set(list string) error {
	in, err := link.ParseTunnels(list)
	if err != nil {
		return err
	}
	d.list, d.left = list, link.AllTunnels&^in
	return nil
}

// String is the list, "" for all, so that --help names no default.
func (d *decap) String() string { return d.list }

// Type is the word that cobra's completion scripts use.
func (d *decap) Type() string { return "list" }
