package top

import "strings"

// helpText is what the key ? shows: no line is wider than 80 columns, and it fits on 24 lines.
const helpText = `↑ ↓ k j     select a connection; page keys, g and G move further
enter  esc  open it: its operations, RPCs and findings as they arrive; back
s  S  r     sort by the next column, the previous one; reverse
/           filter by text, as in 192.0.2.1 or iwarp, or by an expression, as in
            calls > 100 and (errors > 0 or p99 > 10ms); enter; esc for all.
            Fields: number client server transport service calls to_server
            to_client used granted p50 p99 max retransmissions lost errors
            warnings notes idle quiet ended
tab         in a connection: only operations, RPCs or findings
space       freeze the screen; nothing is missed meanwhile
q  ctrl+c   quit, with the summary; ctrl+c is an interrupt, exit status 130

credits     most calls without a reply at a time, of the credits granted
calls/s, MB/s, p50, p99, max: of the last 5 seconds; MB/s of whole frames on
            the wire, to the server and to the client
retr, lost  retransmitted frames; lost on the wire, or missing from the capture
find        the worst findings: E errors, W warnings, N notes; +: and less severe ones
dropped     frames that arrived and could not be followed
            Times of day are UTC.`

func (m *Model) viewHelp() []string {
	lines := append([]string{m.title("help"), ""}, strings.Split(helpText, "\n")...)
	return m.fill(lines, []string{m.style.dim.Render("press any key to return")})
}
