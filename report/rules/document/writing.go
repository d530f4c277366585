package document

import "strings"

// writing is the text of a scene, with the line of the document of each of its lines.
type writing struct {
	lines   []string
	numbers []int
	heading int // its line
}

func (w *writing) addLine(line string, number int) {
	w.lines, w.numbers = append(w.lines, line), append(w.numbers, number)
}

// prepend puts a statement before all, which stands nowhere.
func (w *writing) prepend(line string) {
	w.lines, w.numbers = append([]string{line}, w.lines...), append([]int{w.heading}, w.numbers...)
}

// text adds a section of a document, without empty lines at its ends.
func (w *writing) text(t *text) {
	number := t.number
	body := t.section()
	var empty int
	for line := range strings.SplitSeq(body, "\n") {
		number++
		line = strings.TrimRight(line, " \t\r")
		if line == "" {
			empty++
			continue
		}
		for ; empty > 0 && len(w.lines) > 0 && w.numbers[len(w.numbers)-1] == number-empty-1; empty-- {
			w.addLine("", number-empty)
		}
		empty = 0
		w.addLine(line, number)
	}
}

// begins reports whether the first statement makes a connection.
func (w *writing) begins() bool {
	for _, line := range w.lines {
		if word := statement(line); word != "" {
			return word == "connect" || word == "setup"
		}
	}
	return false
}

// ends reports whether the last statement, findings that are expected aside, ends a
// connection.
func (w *writing) ends() bool {
	for i := len(w.lines) - 1; i >= 0; i-- {
		if word := statement(w.lines[i]); word != "" && word != "want" {
			return word == "disconnect"
		}
	}
	return false
}

// statement is the first word of a line that is not an option or a comment, "" of others.
func statement(line string) string {
	if line == "" || strings.ContainsAny(line[:1], " \t#") {
		return ""
	}
	if end := strings.IndexAny(line, " \t;"); end >= 0 {
		return line[:end]
	}
	return line
}
