package repository

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../.."

// forms are the files of the issue forms.
func forms(t *testing.T) (list []string) {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(root, ".github", "ISSUE_TEMPLATE", "*.yml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range all {
		if filepath.Base(path) != "config.yml" {
			list = append(list, path)
		}
	}
	if len(list) < 3 {
		t.Fatalf("there are %d issue forms", len(list))
	}
	return list
}

// read is the text of a file.
func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestForms holds that GitHub takes each form, and that each asks for the version and a capture.
func TestForms(t *testing.T) {
	t.Parallel()
	for _, path := range forms(t) {
		f, err := readForm(read(t, path))
		if err != nil {
			t.Errorf("%s: %v", filepath.Base(path), err)
		}
		asked := make(map[string]element)
		for _, e := range f.Body {
			asked[e.ID] = e
		}
		for id, says := range map[string]string{"version": "rdmacap version", "capture": "--anonymize"} {
			e, ok := asked[id]
			if text := e.text("label") + e.text("description"); !ok || !e.Validations.Required || !strings.Contains(text, says) {
				t.Errorf("%s does not require %s, by %q", filepath.Base(path), id, says)
			}
		}
	}
}

// TestFormsThatAreWrong holds that a form is refused for each thing that GitHub refuses it for.
func TestFormsThatAreWrong(t *testing.T) {
	t.Parallel()
	const head, input = "name: a\ndescription: b\nbody:\n", "- {type: input, id: x, attributes: {label: X}}\n"
	if _, err := readForm([]byte(head + input)); err != nil {
		t.Fatalf("a form that is right: %v", err)
	}
	for text, says := range map[string]string{
		"description: b\nbody:\n" + input: "no name",
		"name: a\nbody:\n" + input:        "no description",
		head:                              "asks nothing",
		head + "- {type: markdown, attributes: {value: X}}\n":                                "asks nothing",
		"colour: c\n" + head + input:                                                         "colour",
		head + input + "- {type: input, id: x, attributes: {label: Y}}\n":                    "the id",
		head + input + "- {type: input, id: y, attributes: {label: X}}\n":                    "the label",
		head + "- {type: text, attributes: {label: X}}\n":                                    "no type",
		head + "- {type: input, attributes: {description: X}}\n":                             "no label",
		head + "- {type: input, attributes: {label: X, render: text}}\n":                     "no attribute",
		head + "- {type: input, attributes: {label: true}}\n":                                "has to be",
		head + "- {type: input, attributes: {label: \" \"}}\n":                               "empty",
		head + "- {type: input, id: a b, attributes: {label: X}}\n":                          "letters",
		head + "- {type: input, attributes: {label: X}, validations: {needed: true}}\n":      "needed",
		head + "- {type: dropdown, attributes: {label: X, options: []}}\n":                   "none",
		head + "- {type: dropdown, attributes: {label: X, options: [a, a]}}\n":               "twice",
		head + "- {type: dropdown, attributes: {label: X, options: [yes, no, 1]}}\n":         "quote",
		head + "- {type: checkboxes, attributes: {label: X, options: [{required: true}]}}\n": "empty",
	} {
		if _, err := readForm([]byte(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", text, err, says)
		}
	}
}

// TestFormConfig holds that the list of forms has links with all that GitHub requires.
func TestFormConfig(t *testing.T) {
	t.Parallel()
	var config struct {
		Blank bool `yaml:"blank_issues_enabled"`
		Links []struct {
			Name  string `yaml:"name"`
			URL   string `yaml:"url"`
			About string `yaml:"about"`
		} `yaml:"contact_links"`
	}
	if err := strict(read(t, filepath.Join(root, ".github", "ISSUE_TEMPLATE", "config.yml")), &config); err != nil {
		t.Fatal(err)
	}
	if len(config.Links) == 0 {
		t.Error("there are no links")
	}
	for _, l := range config.Links {
		if l.Name == "" || l.About == "" || !strings.HasPrefix(l.URL, "https://") {
			t.Errorf("a link is incomplete: %+v", l)
		}
	}
}
