package main

import (
	"bytes"
	"image/color"
	"os"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Size of a panel of the picture.
const (
	panelWidth, panelHeight = 9 * vg.Centimeter, 6 * vg.Centimeter
	roomForLegend           = 1.4 // of what the curves take
)

// draw writes the curves as a picture: a row for each load, and one for the sizes.
func (r *run) draw(file string) error {
	var rows [][]*plot.Plot
	for _, c := range r.curves {
		row, err := c.panels()
		if err != nil {
			return err
		}
		rows = append(rows, row)
	}
	if len(r.sizes) > 1 {
		row, err := panelsOf(r.sizes)
		if err != nil {
			return err
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return nil
	}
	return write(file, rows)
}

func write(file string, rows [][]*plot.Plot) error {
	canvas := vgsvg.New(3*panelWidth, vg.Length(len(rows))*panelHeight)
	page := draw.New(canvas)
	page.SetColor(color.White)
	page.Fill(page.Rectangle.Path())
	tiles := draw.Tiles{Rows: len(rows), Cols: 3, PadX: vg.Millimeter * 4, PadY: vg.Millimeter * 4, PadTop: vg.Millimeter * 2, PadRight: vg.Millimeter * 4}
	for i, row := range plot.Align(rows, tiles, page) {
		for j, panel := range row {
			rows[i][j].Draw(panel)
		}
	}
	var picture bytes.Buffer
	if _, err := canvas.WriteTo(&picture); err != nil {
		return err
	}
	text := bytes.ReplaceAll(picture.Bytes(), []byte("Liberation Sans"), []byte("Liberation Sans,Arial,sans-serif"))
	return os.WriteFile(file, text, 0o644)
}

// panels draws CPU, memory and key to frame over time.
func (c curve) panels() ([]*plot.Plot, error) {
	cpu, err := c.panel(c.name+": "+c.String(), "CPU, % of a core",
		"screen", func(s sample) float64 { return s.cpu[0] },
		"attached screen", func(s sample) float64 { return s.cpu[1] })
	if err != nil {
		return nil, err
	}
	memory, err := c.panel(c.name+": memory", "MiB",
		"screen", func(s sample) float64 { return s.mem[0].resident },
		"attached screen", func(s sample) float64 { return s.mem[1].resident },
		"screen, without files", func(s sample) float64 { return s.mem[0].own })
	if err != nil {
		return nil, err
	}
	key, err := c.panel(c.name+": key to frame", "ms",
		"screen", func(s sample) float64 { return milliseconds(s.key[0]) },
		"attached screen", func(s sample) float64 { return milliseconds(s.key[1]) })
	return []*plot.Plot{cpu, memory, key}, err
}

// panel draws lines over time, each given by its name and a function of a sample.
func (c curve) panel(title, unit string, lines ...any) (*plot.Plot, error) {
	p := panel(title, "minutes", unit)
	for i := 1; i < len(lines); i += 2 {
		lines[i] = points(c.samples, lines[i].(func(sample) float64))
	}
	err := plotutil.AddLines(p, lines...)
	p.X.Min, p.Y.Max = 0, p.Y.Max*roomForLegend
	return p, err
}

func points(samples []sample, of func(sample) float64) plotter.XYs {
	var all plotter.XYs
	for _, s := range samples {
		all = append(all, plotter.XY{X: float64(s.at) / float64(time.Minute), Y: of(s)})
	}
	return all
}

// panelsOf draws key to frame, memory and the first frame over the number of agents.
func panelsOf(sizes []size) ([]*plot.Plot, error) {
	key, err := overSizes(sizes, "c: key to frame, idle agents", "ms",
		"p50", func(s size) float64 { return s.p50 },
		"p95", func(s size) float64 { return s.p95 })
	if err != nil {
		return nil, err
	}
	memory, err := overSizes(sizes, "c: memory", "MiB",
		"screen", func(s size) float64 { return s.mem.resident },
		"screen, without files", func(s size) float64 { return s.mem.own })
	if err != nil {
		return nil, err
	}
	first, err := overSizes(sizes, "c: first frame", "s", "after the start", func(s size) float64 { return s.first })
	return []*plot.Plot{key, memory, first}, err
}

// overSizes draws lines over the number of agents, likewise.
func overSizes(sizes []size, title, unit string, lines ...any) (*plot.Plot, error) {
	p := panel(title, "agents", unit)
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	for i := 1; i < len(lines); i += 2 {
		of := lines[i].(func(size) float64)
		var all plotter.XYs
		for _, s := range sizes {
			all = append(all, plotter.XY{X: float64(s.agents), Y: of(s)})
		}
		lines[i] = all
	}
	err := plotutil.AddLinePoints(p, lines...)
	p.Y.Max *= roomForLegend
	return p, err
}

func panel(title, x, y string) *plot.Plot {
	p := plot.New()
	for _, style := range []*draw.TextStyle{&p.Title.TextStyle, &p.X.Label.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label, &p.Legend.TextStyle} {
		style.Font.Variant, style.Font.Size = "Sans", 9
	}
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Y.Min = 0
	p.Legend.Top = true
	p.Add(plotter.NewGrid())
	return p
}
