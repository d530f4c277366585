package main

import (
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/capture/device"
)

// TestHints holds what is reported to somebody who tries what another tool would take, or who
// mistypes.
func TestHints(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("two words", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	const fields = "; rdmacap read selects fields with --columns LIST, and the output format is --format text|json|ndjson"
	for args, want := range map[string]string{
		"none.pcapng":           `"none.pcapng"; to check a capture: rdmacap check none.pcapng, to list it: rdmacap read none.pcapng (see 'rdmacap --help')`,
		"two_words":             `to check a capture: rdmacap check 'two words', to list it: rdmacap read 'two words' (see`,
		"x.zst -V":              `; to check a capture: rdmacap check x.zst, to`,
		"-r x.pcap":             `; the capture is an argument: rdmacap read FILE (see 'rdmacap --help')`,
		"read -r x.pcap":        `; the capture is an argument: rdmacap read FILE (see 'rdmacap read --help')`,
		"check -r x.pcap":       `; the capture is an argument: rdmacap check FILE (see`,
		"export objects -r x":   `; the capture is an argument: rdmacap export objects FILE (see`,
		"version -r x":          `; the capture is an argument: rdmacap read FILE (see`,
		"-Y nfs x.pcap":         `; that is a flag of rdmacap read and of 7 other commands (see`,
		"read -T fields x":      fields,
		"read -e rpc.xid x":     fields,
		"live -T json":          `; the output format is --format text|ndjson (see`,
		"check --sarif x":       `; the output format is --format sarif (see`,
		"live --json":           `unknown flag: --json (see`,
		"read -z x":             `; for statistics: rdmacap stats FILE (see`,
		"read -w x":             `; rdmacap cut FILE -o OUT.pcapng writes selected packets, rdmacap live --write DIR what is captured (see`,
		"cut -w x y":            `; the file to write is -o OUT.pcapng (see`,
		"live -w x":             `; --write DIR saves what is captured (see`,
		"-i eth0":               `; to capture on an interface: rdmacap live -i IFACE (see`,
		"check -i eth0":         `; to capture on an interface: rdmacap live -i IFACE (see`,
		"read -D":               `; to list interfaces: rdmacap interfaces (see`,
		"read -n x":             `; addresses and ports are always numeric (see`,
		"read -R nfs x":         `; a filter is -Y EXPR (see`,
		"read -d x y":           `; other RDMA ports are given with --roce-port and --iwarp-port, tunnels with --decap (see`,
		"read -O x":             `; -V shows every field of every layer, -x its bytes as well (see`,
		"live -f udp":           `; the capture filter is --capture-filter rdma or none (see`,
		"read -o x":             `; that is a flag of rdmacap annotate, rdmacap cut, rdmacap export objects, rdmacap export parquet and rdmacap report (see`,
		"read -\u00e9":          `(see`,
		"version -V":            `; that is a flag of rdmacap read (see`,
		"read --filtr x":        `unknown flag: --filtr; did you mean --filter? (see`,
		"live --interfaces x":   `; did you mean --interface? (see`,
		"read --fail-on x":      `; that is a flag of rdmacap check (see`,
		"read --json x":         `; the output format is --format json (see`,
		"read --zzz x":          `unknown flag: --zzz (see`,
		"help nosuch":           `there is no command "nosuch" (see 'rdmacap help --help')`,
		"help raed":             `there is no command "raed"; did you mean "read"? (see`,
		"help export objcts":    `there is no command "objcts"; did you mean "objects"? (see`,
		"help rules DDP-001":    `there is no command "DDP-001" (see`,
		"help export objects x": `there is no command "x" (see`,
		"export trace.pcap":     `unknown command "trace.pcap"; it is objects, parquet (see 'rdmacap export --help')`,
		"completion bsh":        `unknown command "bsh"; did you mean "bash"? (see`,
		"completion csh":        `unknown command "csh"; did you mean "bash"? (see`,
		"completion tcl":        `unknown command "tcl"; it is bash, fish, powershell, zsh (see 'rdmacap completion --help')`,
		"completion bash zsh":   `unknown command "zsh" for "rdmacap completion bash"`,
	} {
		words := strings.Fields(args)
		for i := range words {
			words[i] = strings.ReplaceAll(words[i], "_", " ")
		}
		r := rdmacap(words...)
		if r.status != exitUnusable || r.out != "" || !strings.HasPrefix(r.err, "rdmacap: ") || strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, want) {
			t.Errorf("rdmacap %s: status %d, standard output %q, standard error\n%s, without %s", args, r.status, r.out, r.err, want)
		}
	}
}

// TestHintedCommands holds that what hints name exists: a hint must not be a dead end.
func TestHintedCommands(t *testing.T) {
	root := newRoot(streams{})
	for _, c := range []struct{ command, flag string }{
		{"live", "interface"}, {"live", "write"}, {"live", "format"}, {"live", "capture-filter"}, {"annotate", "output"},
		{"read", "columns"}, {"read", "format"}, {"read", "filter"}, {"read", "details"}, {"read", "hex"}, {"read", "decap"},
		{"read", "roce-port"}, {"read", "iwarp-port"}, {"stats", ""}, {"interfaces", ""}, {"check", ""},
	} {
		found, _, err := root.Find([]string{c.command})
		if err != nil || found.Name() != c.command || c.flag != "" && found.Flags().Lookup(c.flag) == nil {
			t.Errorf("%s --%s: %v", c.command, c.flag, err)
		}
	}
}

// TestHelpOfSubcommands holds that the words that help takes are commands, at any depth.
func TestHelpOfSubcommands(t *testing.T) {
	for _, args := range []string{"", "read", "export", "export objects", "rules test", "completion zsh", "help"} {
		words := strings.Fields(args)
		if got, want := must(t, append([]string{"help"}, words...)...), must(t, append(words, "--help")...); got != want {
			t.Errorf("help %s is not %s --help:\n%s", args, args, got)
		}
	}
}

// TestInterfaceCompletion holds that the shell is offered what can be captured on.
func TestInterfaceCompletion(t *testing.T) {
	cmd := &cobra.Command{Use: "x", Run: func(*cobra.Command, []string) {}}
	cmd.Flags().StringP("interface", "i", "", "")
	ether := device.Interface{Name: "mirror0", Type: device.TypeEthernet, Up: true, Carrier: true}
	infiniband := device.Interface{Name: "ib0", Type: device.TypeInfiniBand}
	completeInterfaces(cmd, "interface", func() (device.Machine, error) {
		return device.Machine{
			Interfaces: []device.Card{{Interface: ether}, {Interface: infiniband}},
			Devices:    []device.Device{{Name: "mlx5_0"}},
		}, nil
	})
	complete, found := cmd.GetFlagCompletionFunc("interface")
	if !found {
		t.Fatal("nothing is offered")
	}
	list, directive := complete(cmd, nil, "")
	if got := strings.Join(list, "|"); got != "mirror0\tup|mlx5_0\tRDMA device" || directive != cobra.ShellCompDirectiveNoFileComp {
		t.Errorf("%q, %v", got, directive)
	}
	if _, found := findCommand(t, "live").GetFlagCompletionFunc("interface"); !found {
		t.Error("live offers nothing")
	}
}

// findCommand is a command of the program.
func findCommand(t *testing.T, words ...string) *cobra.Command {
	t.Helper()
	c, rest, err := newRoot(streams{}).Find(words)
	if err != nil || len(rest) > 0 {
		t.Fatalf("%q: %v, %q is left", words, err, rest)
	}
	return c
}

// TestUnwritableHelp holds that help which cannot be written is a failure, as any other output.
func TestUnwritableHelp(t *testing.T) {
	for _, args := range []string{"", "--help", "help", "help read", "read --help", "export", "completion", "completion bash", "version", "--version"} {
		var diag strings.Builder
		status := run(t.Context(), strings.Fields(args), streams{out: full{}, err: &diag})
		if status != exitUnusable || diag.String() != "rdmacap: standard output: no space left on device\n" {
			t.Errorf("rdmacap %s: status %d, %q", args, status, diag.String())
		}
	}
}
