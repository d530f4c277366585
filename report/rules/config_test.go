package rules

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

// TestConfigFile holds that the file that is printed says what holds without it.
func TestConfigFile(t *testing.T) {
	var b strings.Builder
	if err := WriteConfig(&b); err != nil {
		t.Fatal(err)
	}
	c, err := ParseConfig("rdmacap.toml", b.String())
	if err != nil {
		t.Fatal(err)
	}
	if c != DefaultConfig() {
		t.Errorf("it is read as %+v", c)
	}
}

// TestEverySettingIsOne holds that each field of a Config has one setting, which
// alone changes it.
func TestEverySettingIsOne(t *testing.T) {
	list := Settings()
	if fields := reflect.TypeFor[Config]().NumField(); fields != len(list) {
		t.Errorf("a Config has %d fields, and %d settings", fields, len(list))
	}
	seen := make(map[string]bool)
	for _, s := range list {
		var c Config
		value := "1"
		if _, isTime := s.at(&c).(*time.Duration); isTime {
			value = `"1ns"`
		}
		got, err := ParseConfig("f", s.Name+" = "+value)
		if err != nil {
			t.Errorf("%s: %v", s.Name, err)
			continue
		}
		was, is := reflect.ValueOf(DefaultConfig()), reflect.ValueOf(got)
		changed := ""
		for i := range was.NumField() {
			if !was.Field(i).Equal(is.Field(i)) {
				changed += was.Type().Field(i).Name
			}
		}
		if strings.ReplaceAll(s.Name, "_", "") != strings.ToLower(changed) || seen[changed] {
			t.Errorf("%s changes %q", s.Name, changed)
		}
		seen[changed] = true
		if s.Meaning == "" || s.Of == "" {
			t.Errorf("%s says nothing", s.Name)
		}
	}
}

// TestConfigErrors holds what is reported of a file that cannot be, and in which line.
func TestConfigErrors(t *testing.T) {
	for text, want := range map[string]string{
		"\n\nslow_cal = 1":              `f:3: there is no setting "slow_cal"; did you mean "slow_call"?`,
		"zebra = 1":                     `f:1: there is no setting "zebra" (see 'rdmacap rules --config')`,
		"slow_call = 100":               `f:1: slow_call takes a duration in quotes, such as "100ms"`,
		"# x\nslow_call = \"fast\"":     `f:2: slow_call: "fast" is not a duration; write a number with a unit, such as "100ms"`,
		"unanswered = \"-1s\"":          `f:1: unanswered must be at least 0`,
		"slow_factor = \"10\"":          `f:1: slow_factor takes a number, such as 10`,
		"slow_factor = nan":             `f:1: slow_factor must be at least 1`,
		"slow_factor = 0.5":             `f:1: slow_factor must be at least 1`,
		"pinned_share = 2":              `f:1: pinned_share must be from 0 to 1`,
		"open_reads = 1.5":              `f:1: open_reads takes a whole number, such as 16`,
		"key_uses = 0":                  `f:1: key_uses must be at least 1`,
		"exposure = -1":                 `f:1: exposure must be at least 1`,
		"key_uses = 3\nkey_uses = 4":    `f:2: Key 'key_uses' has already been defined.`,
		"[key_uses]\nx = 3":             `f:1: key_uses takes a whole number, such as 8`,
		"[other]\nkey_uses = 3":         `f:1: there is no setting "other" (see 'rdmacap rules --config')`,
		"[credit.typo]\nx = 3":          `f: there is no setting "credit.typo": settings are not in tables (see 'rdmacap rules --config')`,
		"a.b.c = 3":                     `f: there is no setting "a.b.c": settings are not in tables (see 'rdmacap rules --config')`,
		"congestion = [1]":              `f:1: congestion takes a whole number, such as 1000`,
		"slow_call = \"1s\"\nbroken = ": `f:2: `,
	} {
		c, err := ParseConfig("f", text)
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.HasSuffix(want, ": ") == (err.Error() == want) {
			t.Errorf("%q:\n got %v\nwant %s", text, err, want)
		}
		if c != DefaultConfig() {
			t.Errorf("%q changed something", text)
		}
	}
}

// TestNearest holds what a misspelt word is taken for.
func TestNearest(t *testing.T) {
	names := []string{"DDP-001", "DDP-010", "CREDIT-003", "TRANS-001", "TRANS-003"}
	for word, want := range map[string]string{
		"CREDITS-003": "CREDIT-003", "TRAN-003": "TRANS-003", "DPD-010": "DDP-010", "DDP-011": "DDP-001", "": "", "ZZZ": "", "X": "",
	} {
		if got := Nearest(word, names); got != want {
			t.Errorf("%q is taken for %q, want %q", word, got, want)
		}
	}
}

func FuzzParseConfig(f *testing.F) {
	for _, s := range []string{"slow_call = \"1s\"", "a.b.c = [1, {x = 2}]", "[[x]]\ny=1", "pinned_share = inf", "'' = 1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if c, err := ParseConfig("f", text); err != nil && c != DefaultConfig() {
			t.Errorf("an error, and settings: %+v", c)
		}
	})
}
