// Package english holds the texts that users read to the words of the field: strings of the program, rules, the page
// and documents.
//
//	*.go (strings) ─┐
//	*.rule (prose)  ├─> Texts ──> Word.Find ──> "docs/x.md:12: "octets": write bytes"
//	*.md            │
//	*.ts (strings) ─┘
package english

import (
	"regexp"
	"strings"
)

// A Word is a word or phrase that texts for users do not have.
type Word struct {
	pattern *regexp.Regexp
	// Instead is what to write.
	Instead string
	// Bad is a text that has it, Good one that looks like it and may stand.
	Bad, Good string
}

// Find returns where a text has the word, "" if it has not.
func (w *Word) Find(text string) string { return strings.TrimSpace(w.pattern.FindString(text)) }

// Words are those that texts for users do not have: private words, and constructions that no native speaker uses.
func Words() []Word {
	word := func(pattern, instead, bad, good string) Word {
		return Word{regexp.MustCompile(`(?i)` + pattern), instead, bad, good}
	}
	return []Word{
		word(`\boctets?\b`, "bytes; octets only where a specification is quoted", "12 octets of data", "12 bytes of data"),
		word(`\b(bytes?|words?|frames?|comes?|came|lies?|far) behind\b|\bbehind ((it|them|that|which)\b|(the|a|an|its|each) (last |first )?(header|message|place|capture|tap|value|name|option|segment|packet|frame|end|count|data|payload|call|reply|replies|hole)\b)`,
			"after, beyond", "nothing is behind the header", "the storage behind the server, of which analysis is behind"),
		word(`\bno multiple of\b`, "not a multiple of", "43 is no multiple of 4", "43 is not a multiple of 4"),
		word(`\btold\b|\btells? (of|apart)\b`, "reported, declared, announced, distinguished", "it is told once", "it is reported once"),
		word(`\b(the|a|late|at) begin\b|\bbegin of\b`, "beginning, start", "at the begin of a file", "calls begin here"),
		word(`\bset-up\b`, "setup (noun), set up (verb)", "the set-up of a connection", "the setup of a connection"),
		word(`\bbackwards? (call|direction|repl|message)|\bcallback direction\b`, "reverse direction (RFC 8167)", "a backward call", "a call in the reverse direction"),
		word(`\bto who\b`, "to readers who, to those who", "to who was not there", "to those who were not there"),
		word(`\b(go|goes|went|going) by\b`, "uses, relies on, travels over", "it goes by the address", "it uses the address"),
		word(`\bsent again\b`, "retransmitted, retried", "a frame was sent again", "a frame was retransmitted"),
		word(`\bon (its|their|the) way\b`, "in flight, in transit, on the path", "frames on their way", "frames in flight"),
		word(`\bthe same by the same\b`, "equal values get equal replacements", "replaced, the same by the same", "the same value"),
		word(`\b(took|taken) for (a|an|the|one|that)\b`, "mistaken for, treated as", "taken for a loss", "taken for granted"),
		word(`(%[sqvd]|\b(it|that|which|this|they)) (is|are) no ([abcdefghjknopqrstuvwxyz]|i[^n]|l[^oe]|m[^o])`, "is not a", "which is no field", "which is no longer used"),
		word(`\b(line|row|object|digit|core)s? an? (line|second|connection|call|rpc|minute)\b`, "per", "one row an RPC", "one row per RPC"),
		word(`\bbroken off\b`, "aborted", "the replay was broken off", "the replay was aborted"),
		word(`\bgiven back\b`, "released", "memory cannot be given back", "memory cannot be released"),
		word(`\b(has|have|had|was|is) no room\b`, "did not fit", "findings had no room", "findings did not fit"),
		word(`\bfolders?\b`, "directory", "the folder to write to", "the directory to write to"),
		word(`\bzeroes\b`, "zeros", "zeroes are sent", "zeros are sent"),
		word(`\btime stamps?\b`, "timestamp", "a time stamp of the switch", "a timestamp of the switch"),
		word(`\btime-outs?\b`, "timeout", "after a time-out", "after a timeout"),
		word(`\bfor ever\b`, "forever", "it waits for ever", "it waits forever"),
		word(`\bany more\b`, "no longer", "it is not there any more", "it is no longer there"),
		word(`\b(it|they|server|client|connection|work|traffic|and|to|which|that) (go|goes|went) on\b`, "continues, resumes, proceeds", "the client goes on", "where the time went on one scale"),
		word(`\b(decoded|captured|understood) to (its|their|the) ends?\b`, "completely", "not decoded to its end", "to the end of the capture"),
		word(`\bwithout a word\b`, "silently", "dropped without a word", "dropped silently"),
		word(`\bstands? (behind|there|beside|alone)\b`, "is, comes after, is next to", "what stands there", "what is there"),
		word(`\bdata (are|have|were)\b`, "data is, has, was", "private data are ignored", "private data is ignored"),
	}
}
