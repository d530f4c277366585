package rules

import (
	"strings"
	"testing"
)

// TestConfigNesting holds that what is nested deep takes no memory, and what only looks like it
// is taken.
func TestConfigNesting(t *testing.T) {
	deep := strings.Repeat
	for _, text := range []string{
		"\n[" + deep("a.", 30000) + "a]",
		"\n" + deep("a.", 30000) + "a = 1",
		"\na = " + deep("[", 30000),
		"\na = " + deep("{a=", 20000),
		"\na = [\"]]]]]]]]]]]]]]]]]]]]\", '}}}}}}}}}}}}}}}}', " + deep("[", 17),
	} {
		if _, err := ParseConfig("f", text); err == nil || !strings.HasPrefix(err.Error(), "f:2: nested too deeply: ") {
			t.Errorf("%.40q: %v", text, err)
		}
	}
	for _, text := range []string{
		"# " + deep("[", 40) + "\nkey_uses = 3",
		"unanswered = '''\n" + deep("[", 40) + "'''",
		"unanswered = \"\\\"" + deep("[", 40) + "\"",
		deep("# 1.5.\n", 40) + "slow_factor = 1.5",
	} {
		if _, err := ParseConfig("f", text); err != nil && strings.Contains(err.Error(), "nested") {
			t.Errorf("%.60q: %v", text, err)
		}
	}
}
