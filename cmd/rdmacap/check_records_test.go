package main

import (
	"reflect"
	"strings"
	"testing"
)

var (
	severity    = oneOf("error", "warning", "note")
	tallyKind   = object(members{"error": integer, "warning": integer, "note": integer}, nil)
	consequence = object(members{"frame": integer, "time": nullOr(timestamp), "text": text}, members{"file": integer})

	// findingRecords are the records of check that stand beside those of read.
	findingRecords = map[string]kind{
		"finding": object(members{
			"type": oneOf("finding"), "rule": matching(`[A-Z0-9]+-[0-9]{3}[a-z]?`), "severity": severity,
			"title": text, "message": text, "connection": nullOr(integer), "xid": nullOr(hex32), "frame": integer,
			"frames": listOf(integer), "direction": nullOr(direction), "evidence": evidenceKind,
			"bytes":     listOf(object(members{"frame": integer, "offset": integer, "length": integer}, members{"file": integer})),
			"reference": text, "advice": text, "certainty": oneOf("certain", "likely"),
		}.with(members{ // beside the contract
			"id": integer, "call": nullOr(text), "time": nullOr(timestamp), "count": integer,
			"last_frame": integer, "last_time": nullOr(timestamp), "consequences": listOf(consequence), "caused_by": nullOr(integer), "root": boolean,
		}), members{"why_uncertain": text, "case": text, "file": integer, "frame_files": listOf(integer), "last_file": integer}),
		"connection_findings": object(members{
			"type": text, "connection": integer, "findings": tallyKind,
			"not_checked": listOf(object(members{"what": text, "why": text}, nil)),
		}, nil),
	}
)

// evidenceKind is an object of values by name.
func evidenceKind(v any) error {
	all := members{}
	if o, ok := v.(map[string]any); ok {
		for name := range o {
			all[name] = object(members{"observed": anything, "expected": anything}, nil)
		}
	}
	return object(all, nil)(v)
}

// anything but an object or an array: what a person may compare.
func anything(v any) error {
	if v == nil || boolean(v) == nil || number(v) == nil {
		return nil
	}
	return text(v)
}

// holdFindings holds records against the tables, their order, the numbers of the
// findings, and the sums.
func holdFindings(t *testing.T, out string) (findings []map[string]any) {
	t.Helper()
	var o order
	sums := map[string]map[string]int64{"finding": {}, "connection_findings": {}, "summary": {}}
	loose := map[string]int64{} // of the whole capture
	for line := range strings.Lines(out) {
		r := decode(t, line).(map[string]any)
		o.take(t, r)
		name, _ := r["type"].(string)
		if k := findingRecords[name]; k == nil {
			checkRecord(t, r)
		} else if err := k(r); err != nil {
			t.Fatalf("%s record: %v\n%v", name, err, r)
		}
		switch name {
		case "finding":
			findings = append(findings, r)
			if id := whole(t, r["id"]); id != int64(len(findings)) {
				t.Errorf("finding %d has the number %d", len(findings), id)
			}
			if cause := r["caused_by"]; cause != nil && (whole(t, cause) < 1 || whole(t, cause) >= whole(t, r["id"])) {
				t.Errorf("finding %v is caused by %v, which does not come before it", r["id"], cause)
			}
			if (r["certainty"] == "likely") != (r["why_uncertain"] != nil) {
				t.Errorf("finding %v is %v because of %v", r["id"], r["certainty"], r["why_uncertain"])
			}
			if r["connection"] == nil {
				loose[r["severity"].(string)]++
			}
			sums[name][r["severity"].(string)]++
		case "connection_findings", "summary":
			for s, n := range r["findings"].(map[string]any) {
				sums[name][s] += whole(t, n)
			}
		}
	}
	o.end(t)
	for _, s := range []string{"error", "warning", "note"} {
		if all := sums["finding"][s]; all != sums["summary"][s] || all != sums["connection_findings"][s]+loose[s] {
			t.Errorf("%s: %d findings, %d in the summary, %d of connections and %d of the capture", s, all, sums["summary"][s], sums["connection_findings"][s], loose[s])
		}
	}
	return findings
}

// TestCheckRecords holds every record of several samples against these tables.
func TestCheckRecords(t *testing.T) {
	for name, args := range map[string][]string{
		"one file":  {sample("rxe-cb")},
		"two files": {sample("rxe-cb"), sample("siw-cb")},
		"chosen":    {"--rules", "CROW-001,CROW-003", sample("rxe-cb")},
		"late":      {write(t, "late.pcap", later(t, "rxe-cb", 60))},
		"nothing":   {"--rules", "CROW-001", sample("rxe-perftest")},
	} {
		t.Run(name, func(t *testing.T) {
			list := holdFindings(t, straw(append([]string{"check", "--format", "ndjson"}, args...)...).out)
			if (len(list) == 0) != (name == "nothing") {
				t.Errorf("%d findings", len(list))
			}
		})
	}
}

// TestCheckHiddenCauses holds where a finding hangs when what explains it is not
// shown: under the next that is, or under none.
func TestCheckHiddenCauses(t *testing.T) {
	for _, c := range []struct {
		rules string
		want  map[string]any // the rule that explains the first finding of each
	}{
		{"CROW", map[string]any{"CROW-001b": nil, "CROW-002": "CROW-001b", "CROW-003": "CROW-002"}},
		{"CROW,-CROW-002", map[string]any{"CROW-001b": nil, "CROW-003": "CROW-001b"}},
		{"-CROW-001b,-STRAW", map[string]any{"CROW-002": nil, "CROW-003": "CROW-002"}},
		{"CROW-003", map[string]any{"CROW-003": nil}},
	} {
		got, rules := map[string]any{}, map[int64]any{}
		for _, f := range holdFindings(t, straw("check", "--format", "ndjson", "--rules", c.rules, sample("rxe-cb")).out) {
			name := f["rule"].(string)
			rules[whole(t, f["id"])] = name
			if _, seen := got[name]; seen {
				continue
			}
			got[name] = nil
			if f["caused_by"] != nil {
				got[name] = rules[whole(t, f["caused_by"])]
			}
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("--rules %s: %v, want %v", c.rules, got, c.want)
		}
	}
}

// TestCheckForms holds that json and ndjson are the same records.
func TestCheckForms(t *testing.T) {
	form := func(name string) string { return straw("check", "--format", name, sample("rxe-cb")).out }
	list, ok := decode(t, form("json")).([]any)
	if !ok {
		t.Fatal("json is no array")
	}
	var lines []any
	for line := range strings.Lines(form("ndjson")) {
		lines = append(lines, decode(t, line))
	}
	for _, l := range [][]any{list, lines} {
		delete(l[len(l)-1].(map[string]any), "elapsed_seconds")
	}
	if !reflect.DeepEqual(list, lines) {
		t.Errorf("json has %d records and ndjson %d, or they differ", len(list), len(lines))
	}
}
