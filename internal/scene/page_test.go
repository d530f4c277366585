package scene

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/report/rules/document"
)

// page is the reference of the language.
func page(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/scene.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestPageNamesEveryWord requires that docs/scene.md has every word that the parser knows: statements, options, names of
// values and of places, and what is in parentheses in the heading of a sample.
func TestPageNamesEveryWord(t *testing.T) {
	words := append(afterwards(), build.ICRCWays()...)
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, "../../report/rules/document/sample.go") {
		if !strings.HasSuffix(file, "_test.go") {
			words = append(words, wordsOf(t, file, nil)...)
		}
	}
	slices.Sort(words)
	if words = slices.Compact(words); len(words) < 150 {
		t.Fatalf("only %d words were found in the parser", len(words))
	}
	const notOfLanguage = "nfs_cb_opnum4" // a type of an XDR file, which a case compares with
	named := namedIn(page(t))
	for _, w := range words {
		if !named[w] && w != notOfLanguage {
			t.Errorf("docs/scene.md does not mention %q", w)
		}
	}
}

// TestWordsOf finds the words of a parser where they are compared and where they are taken.
func TestWordsOf(t *testing.T) {
	const source = `package p
func f(c *cursor) {
	switch word {
	case "one", "two words":
		c.accept("three")
	case "[":
		c.fail("four")
	}
	switch {
	case word == "five":
	}
	c.choice("SIX", 6)
	c.word("a number")
}`
	want := []string{"SIX", "five", "one", "three", "two words"}
	if got := wordsOf(t, "p.go", source); !slices.Equal(got, want) {
		t.Errorf("words %q, want %q", got, want)
	}
	if named := namedIn("one `two NFS3`\n```\nthree.x\n```\nfour"); !named["two"] || !named["three"] || !named["x"] || !named["NFS"] || named["one"] || named["four"] {
		t.Errorf("named are %v", named)
	}
}

// wordsOf returns the words of the language in a file of the parser, sorted: those that a case compares with, and those
// that a method of cursor, or of the readers of places, is asked for.
func wordsOf(t *testing.T, file string, source any) (words []string) {
	t.Helper()
	tree, err := parser.ParseFile(gotoken.NewFileSet(), file, source, 0)
	if err != nil {
		t.Fatal(err)
	}
	isWord := regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*( [a-z0-9]+)?$`)
	collect := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if _, ok := n.(*ast.CallExpr); ok {
				return false // of a prefix
			}
			if x, ok := n.(*ast.BasicLit); ok && x.Kind == gotoken.STRING {
				if s, err := strconv.Unquote(x.Value); err == nil && isWord.MatchString(s) {
					words = append(words, s)
				}
			}
			return true
		})
	}
	asks := map[string]bool{"one": true, "accept": true, "choice": true, "number": true, "within": true, "subsets": true, "words": true, "spec": true, "value": true, "subset": true}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CaseClause:
			for _, x := range n.List {
				collect(x)
			}
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.SelectorExpr); ok && asks[f.Sel.Name] {
				for _, x := range n.Args {
					collect(x)
				}
			}
		}
		return true
	})
	slices.Sort(words)
	return slices.Compact(words)
}

// namedIn returns what the code of a document names: each word, also without the version that a program ends with, and
// each piece of code of its tables as it is.
func namedIn(text string) map[string]bool {
	named := make(map[string]bool)
	word := regexp.MustCompile(`[A-Za-z][A-Za-z0-9_]*`)
	for i, code := range strings.Split(strings.ReplaceAll(text, "```", "`"), "`") {
		if i%2 == 0 {
			continue
		}
		named[code] = true
		for _, w := range word.FindAllString(code, -1) {
			named[w], named[strings.TrimRight(w, "0123456789")] = true, true
		}
	}
	return named
}

// TestPageExamples plays the scenes of docs/scene.md over both transports, and the samples of its rule.
func TestPageExamples(t *testing.T) {
	scenes := regexp.MustCompile("(?s)```scene\n(.*?)```").FindAllStringSubmatch(page(t), -1)
	if len(scenes) < 4 {
		t.Fatalf("%d scenes", len(scenes))
	}
	for _, found := range scenes {
		playExample(t, found[1])
	}
	rule := regexp.MustCompile("(?s)```rule\n(.*?)```").FindStringSubmatch(page(t))
	if rule == nil {
		t.Fatal("no rule")
	}
	d, err := document.Parse("scene.md", "id: CREDIT-006\ntitle: an example\nseverity: error\n"+rule[1])
	if err != nil {
		t.Fatal(err)
	}
	samples, err := d.Samples()
	if err != nil || len(samples) == 0 {
		t.Fatalf("%d samples, %v", len(samples), err)
	}
	for _, s := range samples {
		playExample(t, s.Scene)
	}
}

// playExample plays a scene over both transports.
func playExample(t *testing.T, text string) {
	t.Helper()
	for _, over := range []Transport{RoCE, IWARP} {
		if s, err := Play(text, over); err != nil || len(s.Frames) < 5 {
			t.Errorf("over %s: %v\n%s", over, err, text)
		}
	}
}
