package themes

import "image/color"

// AutoName is the name by which a user asks for Auto.
const AutoName = "auto"

// Auto returns the theme for a terminal with that background: dark or light, on the
// background as it is. Colours that could not be read there are lightened or darkened until
// they can. While the background is not known (nil), dark is the better guess.
func Auto(ground color.Color) Theme {
	if ground == nil {
		t := bundled("dark")
		t.Background = nil
		return t
	}
	// One of the two can be read on any background.
	t, far, near := bundled("dark"), color.White, color.Black
	if Contrast(color.White, ground) < Contrast(color.Black, ground) {
		t, far, near = bundled("light"), color.Black, color.White
	}
	t.Background, t.own = nil, ground
	t.Surface = mix(ground, far, raised)
	if Contrast(far, t.Surface) < Readable {
		t.Surface = mix(ground, near, raised)
	}
	t.Selection = apart(t.Selection, ground, far)
	for _, r := range t.roles() {
		for _, ground := range grounds(r.name) {
			*r.place = until(Readable, *r.place, t.under(ground), far)
		}
	}
	t.Border = until(leastBorder, t.Border, ground, far)
	return t
}

// Silent returns the theme for a terminal that does not report its background: colours that
// can be read on black and on white. Nothing has a background of its own, which would be
// dark in a light terminal or light in a dark one.
func Silent() Theme {
	// Each of them is one of the 256 colours too.
	var (
		grey   = color.RGBA{0x76, 0x76, 0x76, 0xff}
		blue   = color.RGBA{0x5f, 0x5f, 0xff, 0xff}
		violet = color.RGBA{0x87, 0x5f, 0xd7, 0xff}
		green  = color.RGBA{0x00, 0x87, 0x5f, 0xff}
		rust   = color.RGBA{0xaf, 0x5f, 0x5f, 0xff}
		pink   = color.RGBA{0xd7, 0x00, 0xaf, 0xff}
	)
	return Theme{
		Name: AutoName, Plain: true,
		Muted: grey, Subtle: grey, Border: grey, Quote: grey,
		Accent: blue, BorderFocus: blue, Heading: blue, Link: blue, Info: blue,
		Busy: violet, Agent: violet,
		Success: green, User: green, Code: green,
		Warning: rust, Attention: pink, Danger: pink,
	}
}

// What is no text must be visible too: a frame, and the selected row.
const (
	leastBorder    = 1.8
	leastSelection = 1.25
)

// raised is the share of the text colour in a surface.
const raised = 0.05

// apart returns the colour behind the selected row, which differs from the background and
// can be written on.
func apart(selection, ground, far color.Color) color.Color {
	for part := 0.1; Contrast(selection, ground) < leastSelection && part < 0.3; part += 0.02 {
		selection = mix(ground, far, part)
	}
	return selection
}

// until moves c towards far until its contrast to ground is enough, or it is far itself.
func until(enough float64, c, ground, far color.Color) color.Color {
	const steps = 20
	for i := 1; Contrast(c, ground) < enough && i <= steps; i++ {
		c = mix(c, far, 1/float64(steps-i+1))
	}
	return c
}

// mix returns a with that part of b in it.
func mix(a, b color.Color, part float64) color.Color {
	ar, ag, ab, _ := a.RGBA()
	br, bg, bb, _ := b.RGBA()
	of := func(x, y uint32) uint8 {
		return uint8((float64(x)+(float64(y)-float64(x))*part)/0x101 + 0.5)
	}
	return color.RGBA{R: of(ar, br), G: of(ag, bg), B: of(ab, bb), A: 0xff}
}
