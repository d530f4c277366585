package record

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/rdmacap/rdmacap/report/rules"
)

// A ruleRecord is a rule of the catalogue as a JSON record.
type ruleRecord struct {
	Type      string         `json:"type"`
	ID        string         `json:"id"`
	Family    string         `json:"family"`
	Title     string         `json:"title"`
	Severity  string         `json:"severity"`
	Since     string         `json:"since"`
	Meaning   string         `json:"meaning"`
	Why       string         `json:"why"`
	Advice    string         `json:"advice"`
	Reference string         `json:"reference"`
	Limits    string         `json:"limits"`
	Cases     []caseRecord   `json:"cases"`
	Causes    []string       `json:"causes"`
	Fires     []sampleRecord `json:"fires"`
	Silent    []sampleRecord `json:"silent"`
}

type caseRecord struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Severity string `json:"severity"`
	Advice   string `json:"advice"`
}

type sampleRecord struct {
	Name  string `json:"name"`
	Over  string `json:"over"`
	Scene string `json:"scene"`
}

// WriteRules writes rules as records: one array, or one object a line.
func WriteRules(w io.Writer, array bool, list []*rules.Rule) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if array {
		b.WriteString("[\n")
	}
	for i, r := range list {
		if array && i > 0 {
			b.Truncate(b.Len() - 1) // the encoder's newline
			b.WriteString(",\n")
		}
		if err := e.Encode(recordOf(r)); err != nil {
			return err
		}
	}
	if array {
		b.WriteString("]\n")
	}
	_, err := w.Write(b.Bytes())
	return err
}

func recordOf(r *rules.Rule) ruleRecord {
	fires, silent := r.Samples()
	record := ruleRecord{
		Type: "rule", ID: r.ID, Family: r.Family(), Title: r.Title, Severity: r.Severity.String(), Since: r.Since,
		Meaning: r.Meaning, Why: r.Why, Advice: r.Advice, Reference: r.Reference, Limits: r.Limits,
		Cases: []caseRecord{}, Causes: append([]string{}, r.Causes...),
		Fires: sampleRecords(fires), Silent: sampleRecords(silent),
	}
	for _, c := range r.Cases {
		advice := c.Advice
		if advice == "" {
			advice = r.Advice
		}
		record.Cases = append(record.Cases, caseRecord{r.ID + c.Letter, c.Title, c.Severity.String(), advice})
	}
	return record
}

func sampleRecords(list []rules.Sample) []sampleRecord {
	records := []sampleRecord{}
	for _, s := range list {
		records = append(records, sampleRecord{s.Name, string(s.Over), s.Text()})
	}
	return records
}
