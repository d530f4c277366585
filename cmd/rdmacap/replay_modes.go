package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A replayMode is what --to, --listen and --verbatim ask for together.
type replayMode uint8

// The modes, as a set.
const (
	toServer replayMode = 1 << iota
	toVerbatim
	listening
	listeningVerbatim

	toAny   = toServer | toVerbatim
	anyMode = toAny | listening | listeningVerbatim
)

// String names the modes of a set.
func (m replayMode) String() string {
	var list []string
	for i, name := range [...]string{"--to", "--to --verbatim", "--listen", "--listen --verbatim"} {
		if m&(1<<i) != 0 {
			list = append(list, name)
		}
	}
	if n := len(list) - 1; n > 0 {
		return strings.Join(list[:n], ", ") + " and " + list[n]
	}
	return strings.Join(list, "")
}

// replayFlags says in which modes each flag of replay does something. One that is not here is
// refused in all of them.
func replayFlags() map[string]replayMode {
	return map[string]replayMode{
		"to": toAny, "pace": toAny, "yes": toAny, "reply-timeout": toAny, "max-time": toAny,
		"max-calls": toServer, "inline-send": toServer, "inline-receive": toServer,
		"bind": toServer, "export": toServer, "keep-owners": toServer, "ignore": toServer,
		"honor-credits": toServer, "oversize": toServer, "edit": toServer,
		"listen": listening | listeningVerbatim, "unmatched": listening, "clients": listening, "max-connections": listening,
		"verbatim": anyMode, "dry-run": anyMode, "format": anyMode, "memory": anyMode, "max-registered": anyMode,
		"connection": anyMode, "select": anyMode, "binding": anyMode,
		"quiet": anyMode, "roce-port": anyMode, "iwarp-port": anyMode, "decap": anyMode, "time-source": anyMode, "workers": anyMode,
		"help": anyMode,
	}
}

// refuse says which flag was given that does nothing in a mode.
func (m replayMode) refuse(c *cobra.Command) (err error) {
	works := replayFlags()
	c.Flags().Visit(func(f *pflag.Flag) {
		if err == nil && works[f.Name]&m == 0 {
			err = fmt.Errorf("--%s cannot be combined with %v: it needs %v", f.Name, m, works[f.Name])
		}
	})
	return err
}

// mode is that of a role.
func (o *replayOptions) mode(role replayRole) replayMode {
	live, verbatim := role.modes()
	if o.verbatim {
		return verbatim
	}
	return live
}
