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
	roomForLegend           = 1.3 // of what the curves take
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
	over := func(title, unit string, of func(sample, int) float64) (*plot.Plot, error) {
		p := panel(title, "minutes", unit)
		err := plotutil.AddLines(p,
			"screen", points(c.samples, func(s sample) float64 { return of(s, 0) }),
			"attached screen", points(c.samples, func(s sample) float64 { return of(s, 1) }))
		p.X.Min, p.Y.Max = 0, p.Y.Max*roomForLegend
		return p, err
	}
	cpu, err := over(c.name+": "+c.String(), "CPU, % of a core", func(s sample, i int) float64 { return s.cpu[i] })
	if err != nil {
		return nil, err
	}
	memory, err := over(c.name+": memory", "MiB", func(s sample, i int) float64 { return s.mib[i] })
	if err != nil {
		return nil, err
	}
	key, err := over(c.name+": key to frame", "ms", func(s sample, i int) float64 { return milliseconds(s.key[i]) })
	return []*plot.Plot{cpu, memory, key}, err
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
	over := func(title, unit string, lines ...any) (*plot.Plot, error) {
		p := panel(title, "agents", unit)
		p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
		var named []any
		for i := 0; i < len(lines); i += 2 {
			of := lines[i+1].(func(size) float64)
			var all plotter.XYs
			for _, s := range sizes {
				all = append(all, plotter.XY{X: float64(s.agents), Y: of(s)})
			}
			named = append(named, lines[i], all)
		}
		err := plotutil.AddLinePoints(p, named...)
		p.Y.Max *= roomForLegend
		return p, err
	}
	key, err := over("c: key to frame, idle agents", "ms", "p50", func(s size) float64 { return s.p50 }, "p95", func(s size) float64 { return s.p95 })
	if err != nil {
		return nil, err
	}
	memory, err := over("c: memory", "MiB", "resident", func(s size) float64 { return s.mib })
	if err != nil {
		return nil, err
	}
	first, err := over("c: first frame", "s", "after the start", func(s size) float64 { return s.first })
	return []*plot.Plot{key, memory, first}, err
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
