package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/internal/families"
)

// rulesDir is the directory of the families.
const rulesDir = "report/rules"

// A rule is one that is being created.
type rule struct {
	id       string
	family   families.Family
	function string
	on       hook
}

// document and check are the paths of its files, relative to the root.
func (r *rule) document() string { return r.path(".rule") }
func (r *rule) check() string    { return r.path(".go") }

func (r *rule) path(suffix string) string {
	return filepath.Join(rulesDir, r.family.Package, r.function+suffix)
}

// create writes the files of the rule with an ID, which begins with a hook, below the root of the repository.
func create(root, id string, on hook) (*rule, error) {
	f, number, ok := families.Of(id)
	if !ok {
		return nil, badID(id)
	}
	r := &rule{id, f, f.Function(number), on}
	dir := filepath.Join(root, rulesDir, f.Package)
	if _, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("%s is missing: run newrule in the root of the repository", filepath.Join(rulesDir, f.Package))
	}
	for _, path := range []string{r.document(), r.check()} {
		if _, err := os.Lstat(filepath.Join(root, path)); !errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("%s exists, and newrule overwrites nothing: choose another number; %s is free", path, nextID(dir, f))
		}
	}
	if err := write(filepath.Join(root, r.document()), r.fill(on.document())); err != nil {
		return nil, err
	}
	if err := write(filepath.Join(root, r.check()), r.fill(on.check())); err != nil {
		os.Remove(filepath.Join(root, r.document())) // half a rule would be in the way of the next attempt
		return nil, err
	}
	return r, nil
}

// badID returns what is wrong with an ID that names no possible rule.
func badID(id string) error {
	name, _, _ := strings.Cut(id, "-")
	var names []string
	for _, f := range families.All() {
		names = append(names, f.Name)
	}
	if slices.Contains(names, name) {
		return fmt.Errorf("%q is not the ID of a rule: the number has three digits, as in %s-018", id, name)
	}
	return fmt.Errorf("%q is not the ID of a rule: it is a family, a hyphen and three digits, as in HDR-018; the families are %s", id, strings.Join(names, ", "))
}

// nextID returns the ID after the last of a family.
func nextID(dir string, f families.Family) string {
	last := 0
	paths, _ := filepath.Glob(filepath.Join(dir, f.Function("[0-9][0-9][0-9]")+".*")) // the pattern is well formed
	for _, path := range paths {
		var n int
		name, _, _ := strings.Cut(filepath.Base(path), ".")
		if _, err := fmt.Sscanf(name[len(f.Package):], "%d", &n); err == nil {
			last = max(last, n)
		}
	}
	return fmt.Sprintf("%s-%03d", f.Name, last+1)
}

// fill turns a file of the skeleton into one of the rule.
func (r *rule) fill(text string) string {
	number := strings.TrimPrefix(r.function, r.family.Package)
	if _, code, ok := strings.Cut("\n"+text, "\npackage skeleton\n"); ok { // without the comment on package skeleton
		text = "package " + r.family.Package + "\n" + code
	}
	text = strings.NewReplacer("HDR-000", r.id, "hdr000"+r.on.name, r.function).Replace(text)
	return regexp.MustCompile(`\b([a-zA-Z]+)000\b`).ReplaceAllString(text, "${1}"+number) // message000
}

// write writes a file that must not exist.
func write(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// nextSteps returns what its author does next.
func (r *rule) nextSteps() string {
	test := strings.ReplaceAll(r.id, "-", "")
	return fmt.Sprintf(`created %s
created %s

Next:
  1. Fill in both files; what is missing says TODO. docs/rules-howto.md shows how, docs/scene.md
     describes the language of the samples.
  2. go generate ./report/rules/catalogue
  3. go test ./report/rules/%s -run 'Test(%s|Finished)$'
  4. go test ./report/rules/catalogue -run Document -update
  5. go test ./report/rules/... ./internal/english
  6. go run ./internal/gates -v -rules %s
  7. Add the rule to CHANGELOG.md.
`, r.document(), r.check(), r.family.Package, test, r.id)
}
