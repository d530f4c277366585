package main

// A command is one way to run rdmacap on a capture.
type command struct {
	name string
	args []string // before the name of the capture
	// out is the file or folder that it writes; "" for none.
	out string
	// long says that it takes so long that by default only few variants are compared
	// by it; scene, that scenes are, too.
	long, scene bool
}

// The file or folder that a command writes, in the folder where it runs.
const (
	outFolder = "out"
	outPcapng = "out.pcapng"
	outPage   = "out.html"
)

// commands are all of them, in the order in which they are compared.
func commands() []command {
	return []command{
		{name: "check", args: []string{"check"}},
		{name: "check-json", args: []string{"check", "--format", "json"}},
		{name: "check-ndjson", args: []string{"check", "--format", "ndjson"}, scene: true},
		{name: "check-sarif", args: []string{"check", "--format", "sarif"}},
		{name: "read", args: []string{"read"}},
		{name: "read-message", args: []string{"read", "--level", "message"}},
		{name: "read-frame", args: []string{"read", "--level", "frame"}},
		{name: "rpc-ndjson", args: []string{"read", "--format", "ndjson"}},
		{name: "message-ndjson", args: []string{"read", "--level", "message", "--format", "ndjson"}},
		{name: "frame-ndjson", args: []string{"read", "--level", "frame", "--format", "ndjson"}, scene: true},
		{name: "stats", args: []string{"stats"}},
		{name: "stats-json", args: []string{"stats", "--format", "json"}},
		{name: "export", args: []string{"export", "objects"}, out: outFolder},
		{name: "live", args: []string{"live", "-r"}},
		{name: "live-ndjson", args: []string{"live", "--format", "ndjson", "-r"}, scene: true},
		{name: "annotate", args: []string{"annotate"}, out: outPcapng},
		{name: "report", args: []string{"report"}, out: outPage, long: true},
		{name: "details", args: []string{"read", "-V"}, long: true},
		{name: "details-message", args: []string{"read", "--level", "message", "-V"}, long: true},
		{name: "details-frame", args: []string{"read", "--level", "frame", "-V"}, long: true},
		{name: "hex-frame", args: []string{"read", "--level", "frame", "-x"}, long: true},
	}
}

// line is what follows the name of the program.
func (c *command) line(capture string) []string {
	args := append(append([]string(nil), c.args...), capture)
	if c.out != "" {
		args = append(args, "-o", c.out)
	}
	return args
}

// fits says whether a unit is compared by a command: all of them if all is asked for.
func (c *command) fits(s *sample, variant string, all bool) bool {
	switch {
	case all:
		return true
	case s.path == "" && !c.scene:
		return false
	case c.long:
		return variant == whole || variant == "changed"
	}
	return true
}
