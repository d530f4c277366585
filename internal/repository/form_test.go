package repository

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A form is an issue form, with the keys that GitHub documents
// (docs.github.com, "Syntax for issue forms"). All else is refused.
type form struct {
	Name        string    `yaml:"name"`
	Description string    `yaml:"description"`
	Title       string    `yaml:"title"`
	Labels      []string  `yaml:"labels"`
	Assignees   []string  `yaml:"assignees"`
	Projects    []string  `yaml:"projects"`
	Type        string    `yaml:"type"`
	Body        []element `yaml:"body"`
}

// An element is a piece of a form ("Syntax for GitHub's form schema").
type element struct {
	Type        string               `yaml:"type"`
	ID          string               `yaml:"id"`
	Attributes  map[string]yaml.Node `yaml:"attributes"`
	Validations struct {
		Required bool `yaml:"required"`
	} `yaml:"validations"`
}

// attributesOf are those that a type of element may have, and whether it must.
func attributesOf(kind string) map[string]bool {
	switch kind {
	case "markdown":
		return map[string]bool{"value": true}
	case "textarea":
		return map[string]bool{"label": true, "description": false, "placeholder": false, "value": false, "render": false}
	case "input":
		return map[string]bool{"label": true, "description": false, "placeholder": false, "value": false}
	case "dropdown":
		return map[string]bool{"label": true, "description": false, "multiple": false, "options": true, "default": false}
	case "checkboxes":
		return map[string]bool{"label": true, "description": false, "options": true}
	}
	return nil
}

// strict decodes YAML and refuses keys that the value has no field for.
func strict(text []byte, v any) error {
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	return d.Decode(v)
}

// readForm decodes an issue form, and says all that GitHub would refuse it for.
func readForm(text []byte) (f form, err error) {
	if err := strict(text, &f); err != nil {
		return f, err
	}
	var wrong []error
	for key, value := range map[string]string{"name": f.Name, "description": f.Description} {
		if strings.TrimSpace(value) == "" {
			wrong = append(wrong, fmt.Errorf("it has no %s", key))
		}
	}
	ids, labels, asks := make(map[string]bool), make(map[string]bool), false
	for i, e := range f.Body {
		if err := e.check(); err != nil {
			wrong = append(wrong, fmt.Errorf("element %d (%s): %w", i+1, e.ID, err))
		}
		asks = asks || e.Type != "markdown"
		if e.ID != "" && ids[e.ID] {
			wrong = append(wrong, fmt.Errorf("two elements have the id %q", e.ID))
		}
		if l := e.text("label"); l != "" && labels[l] {
			wrong = append(wrong, fmt.Errorf("two elements have the label %q", l))
		}
		ids[e.ID], labels[e.text("label")] = true, true
	}
	if !asks {
		wrong = append(wrong, errors.New("it asks nothing"))
	}
	return f, errors.Join(wrong...)
}

// text is an attribute that is a string.
func (e element) text(name string) string {
	n := e.Attributes[name]
	return n.Value
}

var id = regexp.MustCompile(`^[A-Za-z0-9_-]*$`)

// check says what is wrong with an element by itself.
func (e element) check() error {
	known := attributesOf(e.Type)
	if known == nil {
		return fmt.Errorf("there is no type %q", e.Type)
	}
	if !id.MatchString(e.ID) {
		return fmt.Errorf("id %q has more than letters, digits, - and _", e.ID)
	}
	for name, must := range known {
		if n, has := e.Attributes[name]; must && !has {
			return fmt.Errorf("it has no %s", name)
		} else if has {
			if err := checkAttribute(e.Type, name, n); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	for name := range e.Attributes {
		if _, ok := known[name]; !ok {
			return fmt.Errorf("a %s has no attribute %q", e.Type, name)
		}
	}
	return nil
}

// checkAttribute says whether the value of an attribute is of the type that it has to be.
func checkAttribute(kind, name string, n yaml.Node) error {
	want := map[string]string{"multiple": "!!bool", "default": "!!int", "options": "!!seq"}[name]
	if want == "" {
		want = "!!str"
	}
	if n.Tag != want {
		return fmt.Errorf("it is a %s, and has to be a %s", n.Tag, want)
	}
	if want == "!!str" && strings.TrimSpace(n.Value) == "" {
		return errors.New("it is empty")
	}
	if name != "options" {
		return nil
	}
	seen := make(map[string]bool)
	for _, o := range n.Content {
		label := o.Value
		if kind == "checkboxes" {
			var box struct {
				Label    string `yaml:"label"`
				Required bool   `yaml:"required"`
			}
			if err := o.Decode(&box); err != nil {
				return err
			}
			label = box.Label
		} else if o.Tag != "!!str" {
			return fmt.Errorf("option %s is a %s: quote it", o.Value, o.Tag)
		}
		if label == "" || seen[label] || strings.EqualFold(label, "none") {
			return fmt.Errorf("option %q is empty, there twice, or GitHub's own", label)
		}
		seen[label] = true
	}
	if len(seen) == 0 {
		return errors.New("there are none")
	}
	return nil
}
