package picture

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"testing"
)

// noise is an image that no format makes small, red in its corner.
func noise(width, height int) *image.NRGBA {
	random := rand.New(rand.NewPCG(1, 2))
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	for i := range img.Pix {
		img.Pix[i] = byte(random.Uint32()) | 3*byte(i&1)
	}
	for y := range height / 4 {
		for x := range width / 4 {
			img.SetNRGBA(x, y, color.NRGBA{R: 255, A: 255})
		}
	}
	return img
}

// encoded writes an image in a format.
func encoded(t *testing.T, format string, img image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	var err error
	switch format {
	case "png":
		err = png.Encode(&out, img)
	case "jpeg":
		err = jpeg.Encode(&out, img, &jpeg.Options{Quality: 95})
	case "gif":
		err = gif.Encode(&out, img, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestPicturesFitInPixelsAndBytes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		format        string
		width, height int
		typ           string
		wide, high    int
	}{
		{"png", 40, 30, "image/png", 40, 30},
		{"jpeg", 40, 30, "image/jpeg", 40, 30},
		{"gif", 40, 30, "image/png", 40, 30},
		{"png", 3000, 3, "image/png", 1568, 1},
		{"png", 700, 700, "image/jpeg", 700, 700},
		{"jpeg", 400, 3000, "image/jpeg", 209, 1568},
	} {
		data := encoded(t, c.format, noise(c.width, c.height))
		p, err := Fit(data)
		if err != nil || p.Type != c.typ || p.Width != c.wide || p.Height != c.high || len(p.Data) > MostBytes || !Is(p.Data) {
			t.Errorf("Fit(%s of %dx%d) = %s of %dx%d, %d bytes, %v; want %s of %dx%d", c.format, c.width, c.height, p.Type, p.Width, p.Height, len(p.Data), err, c.typ, c.wide, c.high)
		}
		is, _, err := image.DecodeConfig(bytes.NewReader(p.Data))
		if err != nil || is.Width != p.Width || is.Height != p.Height {
			t.Errorf("Fit(%s) returned bytes of %dx%d, %v", c.format, is.Width, is.Height, err)
		}
		if small := c.width == 40 && c.format != "gif"; bytes.Equal(p.Data, data) != small {
			t.Errorf("Fit(%s of %dx%d) changed it: %t", c.format, c.width, c.height, small)
		}
		if _, err := Fit(data[:len(data)*2/3]); c.format != "gif" && !errors.Is(err, ErrDamaged) {
			t.Errorf("Fit(two thirds of a %s) = %v", c.format, err)
		}
	}
}

// A camera that is held on its side notes so beside the pixels.
func TestPhotographsAreTurnedUpright(t *testing.T) {
	t.Parallel()
	plain := encoded(t, "jpeg", noise(80, 40))
	for tag, corner := range map[byte]image.Point{
		1: {10, 5}, 2: {70, 5}, 3: {70, 35}, 4: {10, 35}, 5: {5, 10}, 6: {35, 10}, 7: {35, 70}, 8: {5, 70},
	} {
		exif := []byte("Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00" + string(rune(tag)) + "\x00\x00")
		data := append(append([]byte{0xff, 0xd8, 0xff, 0xe1, 0, byte(len(exif) + 2)}, exif...), plain[2:]...)
		p, err := Fit(data)
		if err != nil {
			t.Fatalf("orientation %d: %v", tag, err)
		}
		img, _, err := image.Decode(bytes.NewReader(p.Data))
		if err != nil {
			t.Fatal(err)
		}
		if r, g, b, _ := img.At(corner.X, corner.Y).RGBA(); r < 0xc000 || g > 0x4000 || b > 0x4000 {
			t.Errorf("orientation %d of %v: the corner at %v is %x %x %x, want red", tag, img.Bounds(), corner, r, g, b)
		}
	}
}

func FuzzPicturesNeverPanic(f *testing.F) {
	for _, seed := range []string{"\x89PNG\r\n\x1a\n", "\xff\xd8\xff\xe1\x00\x08Exif\x00\x00", "GIF89a", "RIFF\x00\x00\x00\x00WEBPVP8 "} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := Fit(data); err == nil && len(data) == 0 {
			t.Error("nothing is a picture")
		}
		orientation(data)
	})
}
