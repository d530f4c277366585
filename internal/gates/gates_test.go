package main

import (
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/internal/long"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

// floors are what is found at least of the provable findings under each treatment, in
// percent, as far as it has come: of all rules, and of those that go by one message or one
// RPC, in some of which nothing may be missed.
func floors() map[string][2]int {
	return map[string][2]int{
		"begun late": {95, 95}, "to server only": {98, 90}, "to client only": {89, 85}, "one lost long ago": {99, 99},
		"near the call": {96, 97}, "near the reply": {92, 97}, "1 % lost": {98, 99},
	}
}

// TestFound holds how much is found still in captures that lack frames. The short run
// asks some rules only.
func TestFound(t *testing.T) {
	all := catalogue.All()
	some := []string{"HDR-010", "ULB-004", "V2-004", "RPC-006"}
	var sum result
	for _, r := range all {
		if long.Tests || slices.Contains(some, r.ID) {
			var one result
			one.measure(all, r)
			sum.addResult(&one)
		}
	}
	if sum.err != nil {
		t.Fatal(sum.err)
	}
	floors := floors()
	for _, tr := range treatments() {
		c, floor := sum.countOf("all families", tr.name), floors[tr.name][long.Pick(1, 0)]
		if provable := c.found + c.missed; provable == 0 || c.found*100 < provable*floor {
			t.Errorf("%s: %d of %d, want %d %%", tr.name, c.found, provable, floor)
		}
	}
	if t.Failed() {
		for _, note := range sum.notes {
			t.Log(note)
		}
	}
}

func TestScenarioText(t *testing.T) {
	s := &scenario{id: "HDR-001"}
	s.arranged([]string{"connect", "call 1 NFS3 GETATTR", "reply 1", "    want HDR-001", "disconnect"}, arrangement{true, true})
	if len(s.before) != healthyRPCs+1 || s.beside != healthyRPCs+1 {
		t.Fatalf("%d healthy RPCs before, number %d beside", len(s.before), s.beside)
	}
	words := map[string]int{}
	for i := range s.text {
		words[s.text[i].word()]++
	}
	if words["connect"] != 1 || words["call"] != healthyRPCs+2 || words["reply"] != healthyRPCs+2 || words["disconnect"] != 1 {
		t.Errorf("statements: %v", words)
	}
	last := s.text[len(s.text)-2]
	if s.text[len(s.text)-3].rpc != s.beside || !last.wants("HDR-001") || last.wants("HDR-00") {
		t.Errorf("the last RPC stands elsewhere: %+v", s.text[len(s.text)-4:])
	}
}
