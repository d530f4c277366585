package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A part is something that a released program contains and others wrote.
type part struct {
	name    string // module@version, or what else says which it is
	licence string // as SPDX writes it
	texts   []text
}

// A text is a file with a licence, or with what has to be said along with one.
type text struct{ name, content string }

// licenceFile is the name of a file that has to be passed on with the code next to it.
var licenceFile = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying|notice|patents)([-._].*)?$`)

// licenceFiles are the texts in the folder of a module, and in those of its packages and between.
func licenceFiles(top string, packages []string) (list []text, err error) {
	folders := []string{top}
	for _, p := range packages {
		for ; len(p) > len(top); p = filepath.Dir(p) {
			if !slices.Contains(folders, p) {
				folders = append(folders, p)
			}
		}
	}
	slices.Sort(folders)
	for _, folder := range folders {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if !licenceFile.MatchString(e.Name()) || strings.HasSuffix(e.Name(), ".go") || !e.Type().IsRegular() {
				continue
			}
			path := filepath.Join(folder, e.Name())
			content, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			name, err := filepath.Rel(top, path)
			if err != nil {
				return nil, err
			}
			list = append(list, text{filepath.ToSlash(name), tidy(string(content))})
		}
	}
	if len(list) == 0 {
		return readmeLicence(top)
	}
	return list, nil
}

// aboutLicence is the heading of what a README says on the licence.
var aboutLicence = regexp.MustCompile(`(?im)^#+ *licen[cs]e *$`)

// readmeLicence is what the README of a module without a file for its licence says about it.
func readmeLicence(top string) ([]text, error) {
	content, err := os.ReadFile(filepath.Join(top, "README.md"))
	if err != nil {
		return nil, fmt.Errorf("no file has a licence: %w", err)
	}
	heading := aboutLicence.FindIndex(content)
	if heading == nil {
		return nil, fmt.Errorf("no file in %s has a licence", top)
	}
	// With all after it, where some put the author.
	return []text{{"README.md", tidy(string(content[heading[0]:]))}}, nil
}

// tidy is a text with the ends of lines of this repository.
func tidy(s string) string {
	lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t\f")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n") + "\n"
}

// partOf is a module with its licence.
func partOf(m module, licences map[string]string) (p part, err error) {
	p.name = m.String()
	if p.licence, err = licence(m, licences); err != nil {
		return p, err
	}
	p.texts, err = licenceFiles(m.Dir, m.packages)
	return p, err
}

// goItself is Go's standard library and runtime, of the version that built the program.
func goItself() (p part, err error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return p, fmt.Errorf("go env GOROOT: %w", err)
	}
	p = part{name: "Go, its standard library and runtime", licence: "BSD-3-Clause"}
	p.texts, err = licenceFiles(strings.TrimSpace(string(out)), nil)
	return p, err
}
