package english

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// A Text is a piece of what users read, and where it is: "docs/check.md:12".
type Text struct{ Where, Words string }

// Texts returns what users read of the repository below root: strings of Go and TypeScript that have more than one word,
// the prose of rules, and documents without their code. It returns an error if a file cannot be read or parsed.
func Texts(root string) (list []Text, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator)))
		if d.IsDir() {
			if skipped(name, d.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		read := readerOf(name)
		if read == nil {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		found, err := read(name, string(text))
		list = append(list, found...)
		return err
	})
	return list, err
}

// skipped reports whether a directory has no text for users: tests, tools of the project, and what is generated.
func skipped(path, name string) bool {
	switch name {
	case ".git", "testdata", "node_modules", "dist", "test", "images", "monitoring":
		return true
	}
	switch path {
	case "internal", "bench", "lab", "samples", "report/rules/catalogue":
		return true
	}
	return false
}

// readerOf is how the texts of a file are found, nil if it has none.
func readerOf(path string) func(path, text string) ([]Text, error) {
	switch filepath.Ext(path) {
	case ".go":
		if !strings.HasSuffix(path, "_test.go") {
			return ofGo
		}
	case ".rule":
		return ofRule
	case ".md":
		return ofDocument
	case ".ts":
		return ofScript
	}
	return nil
}

// ofGo returns the strings of a Go file, and its package comment.
func ofGo(path, text string) (list []Text, err error) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, path, text, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	if f.Doc != nil { // without its pictures, which have names of the code
		picture := regexp.MustCompile(`(?m)^[ \t].*$`)
		list = append(list, Text{path, picture.ReplaceAllString(f.Doc.Text(), "")})
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if _, ok := n.(*ast.ImportSpec); ok {
			return false
		}
		if b, ok := n.(*ast.BasicLit); ok && b.Kind == token.STRING {
			if s, err := strconv.Unquote(b.Value); err == nil && strings.Contains(strings.TrimSpace(s), " ") {
				list = append(list, Text{fmt.Sprintf("%s:%d", path, set.Position(b.Pos()).Line), withoutCode(s)})
			}
		}
		return true
	})
	return list, nil
}

// ofRule returns the lines of a rule, but not those of its samples: these are in the language of scenes.
func ofRule(path, text string) (list []Text, _ error) {
	prose := true
	for i, line := range strings.Split(text, "\n") {
		if name, ok := strings.CutPrefix(line, "== "); ok {
			prose = !strings.HasPrefix(name, "fires") && !strings.HasPrefix(name, "silent") && !strings.HasPrefix(name, "scene")
		}
		if prose || strings.HasPrefix(line, "== ") {
			list = append(list, Text{fmt.Sprintf("%s:%d", path, i+1), line})
		}
	}
	return list, nil
}

// ofDocument returns the lines of a document, but not those of code.
func ofDocument(path, text string) (list []Text, _ error) {
	for i, line := range prose(text) {
		list = append(list, Text{fmt.Sprintf("%s:%d", path, i), withoutCode(line)})
	}
	return list, nil
}

// prose yields the lines of a document that are not code, with their numbers from 1.
func prose(text string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		code := false
		for i, line := range strings.Split(text, "\n") {
			if strings.HasPrefix(strings.TrimSpace(line), "```") {
				code = !code
			}
			if !code && !yield(i+1, line) {
				return
			}
		}
	}
}

// ofScript returns the strings of a TypeScript file that have more than one word.
func ofScript(path, text string) (list []Text, _ error) {
	quoted, filled := regexp.MustCompile("\"(?:[^\"\\\\\n]|\\\\.)*\"|`[^`]*`"), regexp.MustCompile(`\$\{[^}]*\}`)
	for i, line := range strings.Split(text, "\n") {
		if at := strings.TrimSpace(line); strings.HasPrefix(at, "*") || strings.HasPrefix(at, "/") {
			continue
		}
		for _, s := range quoted.FindAllString(line, -1) {
			if s = filled.ReplaceAllLiteralString(s, "${}"); strings.Contains(s, " ") {
				list = append(list, Text{fmt.Sprintf("%s:%d", path, i+1), s})
			}
		}
	}
	return list, nil
}

// withoutCode returns a text without what stands in backquotes: names of the program's, and of specifications.
func withoutCode(s string) string {
	parts := strings.Split(s, "`")
	for i := 1; i < len(parts)-1; i += 2 {
		parts[i] = ""
	}
	return strings.Join(parts, "`")
}
