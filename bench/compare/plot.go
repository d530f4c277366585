//go:build linux

package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// plotted are the commands of which there are plots.
var plotted = []string{check, read, page}

// line is one line of a plot.
type line struct {
	name   string
	x, y   []float64
	colour string
	dashed bool
}

// plot measures, and writes performance-size.svg and performance-workers.svg: the
// least seconds of each command against the size of the capture and, at one size,
// against the number of workers.
func (b *bench) plot(folder string) error {
	var size, workers []line
	for i, sample := range samples {
		for j, name := range plotted {
			l := line{name: name + ", " + sample, dashed: i > 0, colour: [...]string{"#1f6feb", "#2da44e", "#bf3989"}[j]}
			size, workers = append(size, l), append(workers, l)
		}
		for _, point := range []struct{ times, workers int }{{5, 0}, {20, 0}, {80, 0}, {200, 0}, {80, 1}, {80, 2}, {80, 3}, {80, 4}} {
			path, frames, err := b.repeat(sample, point.times, 0)
			if err != nil {
				return err
			}
			list := make([]*command, len(plotted))
			for j, name := range plotted {
				list[j] = &command{name: name, args: b.args(name, point.workers, path)}
			}
			if err := errors.Join(b.measure(list), os.Remove(path)); err != nil {
				return err
			}
			lines, x := workers, float64(point.workers)
			if point.workers == 0 {
				lines, x = size, float64(frames)/1e6
			}
			for j, c := range list {
				l := &lines[i*len(plotted)+j]
				l.x, l.y = append(l.x, x), append(l.y, slices.Min(c.seconds))
			}
		}
	}
	write := func(name, drawn string) error { return os.WriteFile(filepath.Join(folder, name), []byte(drawn), 0o644) }
	return errors.Join(
		write("performance-size.svg", draw(size, "million frames")),
		write("performance-workers.svg", draw(workers, "workers, samples × 80")))
}

// draw draws lines as SVG; both axes begin at 0.
func draw(lines []line, under string) string {
	const left, top, width, height = 50, 20, 420, 260
	var mostX, mostY float64
	for _, l := range lines {
		for i := range l.x {
			mostX, mostY = max(mostX, l.x[i]), max(mostY, l.y[i])
		}
	}
	stepX, stepY := step(mostX), step(mostY)
	mostX, mostY = math.Ceil(mostX/stepX)*stepX, math.Ceil(mostY/stepY)*stepY
	atX := func(x float64) float64 { return left + width*x/mostX }
	atY := func(y float64) float64 { return top + height*(1-y/mostY) }

	var s strings.Builder
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 330" font-family="sans-serif" font-size="12">`+"\n"+
		`<rect width="720" height="330" fill="#fff"/>`+"\n")
	for x := 0.0; x <= mostX*1.001; x += stepX {
		fmt.Fprintf(&s, `<text x="%.1f" y="%d" text-anchor="middle">%.3g</text>`+"\n", atX(x), top+height+16, x)
	}
	for y := 0.0; y <= mostY*1.001; y += stepY {
		fmt.Fprintf(&s, `<path d="M%d %.1fh%d" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%.3g</text>`+"\n",
			left, atY(y), width, left-6, atY(y)+4, y)
	}
	fmt.Fprintf(&s, `<text x="%d" y="%d" text-anchor="middle">%s</text><text x="6" y="13">seconds</text>`+"\n", left+width/2, top+height+36, under)
	for i, l := range lines {
		dash := ""
		if l.dashed {
			dash = ` stroke-dasharray="5 4"`
		}
		var points []string
		for j := range l.x {
			points = append(points, fmt.Sprintf("%.1f,%.1f", atX(l.x[j]), atY(l.y[j])))
		}
		y := top + 10 + 20*i
		fmt.Fprintf(&s, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2"%s/>`+"\n"+
			`<path d="M%d %dh24" stroke="%s" stroke-width="2"%s/><text x="%d" y="%d">%s</text>`+"\n",
			strings.Join(points, " "), l.colour, dash, left+width+20, y, l.colour, dash, left+width+50, y+4, l.name)
	}
	return s.String() + "</svg>\n"
}

// step is the distance of an axis's marks: 1, 2 or 5 of a power of ten, for 3 to 8 marks.
func step(most float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(most)))
	for _, part := range []float64{0.2, 0.5, 1} {
		if most/(power*part) <= 8 {
			return power * part
		}
	}
	return power
}
