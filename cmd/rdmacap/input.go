package main

import (
	"runtime"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/pipeline"
)

// inputOptions are the flags of every command that reads captures.
type inputOptions struct {
	quiet      bool
	rocePort   port
	iwarpPort  port
	decap      decap
	timeSource timeSource
	workers    workers
}

// register gives a command the flags; quiet says what -q leaves out. Any file
// may be a capture, whatever its name ends in.
func (o *inputOptions) register(cmd *cobra.Command, quiet string) {
	cmd.Args = readArgs
	cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveDefault
	}
	f := cmd.Flags()
	f.BoolVarP(&o.quiet, "quiet", "q", false, quiet)
	f.Var(&o.rocePort, "roce-port", "a UDP `PORT` that carries RoCEv2, in addition to 4791")
	f.Var(&o.iwarpPort, "iwarp-port", "a TCP `PORT` that carries iWARP, in addition to 20049")
	f.Var(&o.decap, "decap", "decapsulate only these tunnels, or (-gre) all but these; `LIST` is all, none, or some of "+link.TunnelNames())
	f.Var(&o.timeSource, "time-source", "source of times: `SOURCE` is capture, or switch (timestamps of ERSPAN III and Arista)")
	completeWith(cmd, "time-source", "capture", "switch")
	o.workers = workers(runtime.GOMAXPROCS(0))
	f.Var(&o.workers, "workers", "follow connections with `N` threads; the output is the same (default: one per core)")
}

// pipeline is how the captures are read, with bindings or nil for those of NFS.
func (o *inputOptions) pipeline(b *dissect.Bindings) pipeline.Options {
	return pipeline.Options{Link: o.link(), SwitchTime: bool(o.timeSource), IWARPPort: uint16(o.iwarpPort), Bindings: b, Workers: int(o.workers)}
}

// link is how the transport is found in a frame.
func (o *inputOptions) link() link.Options {
	return link.Options{RoCEPort: uint16(o.rocePort), Left: o.decap.left}
}

// registerBindings gives a command the flag --binding.
func registerBindings(cmd *cobra.Command, files *[]string) {
	cmd.Flags().StringArrayVar(files, "binding", nil, "a `FILE` in the XDR language that describes another RPC program (docs/binding.md)")
}
