// Package picture makes images fit to be sent to a model: [Fit] checks how large one is
// before it is decoded, and scales it. It is pure.
package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/gif" // formats that Fit reads
	"image/jpeg"
	"image/png"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp" // likewise
)

// Bounds of an image.
const (
	MostPixels = 40_000_000 // of one that is decoded
	MostSide   = 1568       // in pixels, of one that is sent
	MostBytes  = 1 << 20    // likewise
)

// What is wrong with an image.
var (
	// ErrPixels is wrapped where an image has more than MostPixels. It was not decoded.
	ErrPixels = errors.New("it has too many pixels")
	// ErrDamaged is wrapped where an image cannot be decoded.
	ErrDamaged = errors.New("it is damaged")
)

// A Picture is an image that is fit to be sent: a PNG, a JPEG or a WebP.
type Picture struct {
	Type          string // MIME
	Width, Height int
	Data          []byte
}

// Is reports whether data begins as a PNG, JPEG, GIF or WebP does.
func Is(data []byte) bool {
	return bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")) || bytes.HasPrefix(data, []byte("\xff\xd8\xff")) ||
		bytes.HasPrefix(data, []byte("GIF87a")) || bytes.HasPrefix(data, []byte("GIF89a")) ||
		len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP"
}

// Fit returns an image with at most MostSide pixels a side and MostBytes: as it is if it
// has no more, else scaled. Of a GIF it is the first frame. The error wraps ErrPixels or
// ErrDamaged.
func Fit(data []byte) (p Picture, err error) {
	defer func() {
		if cause := recover(); cause != nil { // a decoder that trusts what it reads
			err = fmt.Errorf("%w: %v", ErrDamaged, cause)
		}
	}()
	header, format, err := image.DecodeConfig(bytes.NewReader(data))
	switch {
	case err != nil:
		return p, fmt.Errorf("%w: %w", ErrDamaged, err)
	case header.Width <= 0 || header.Height <= 0:
		return p, fmt.Errorf("%w: it has no pixels", ErrDamaged)
	case header.Width > MostPixels/header.Height:
		return p, fmt.Errorf("%w: %d × %d", ErrPixels, header.Width, header.Height)
	}
	decoded, _, err := image.Decode(bytes.NewReader(data)) // also of one that stays as it is: an endpoint would refuse it
	if err != nil {
		return p, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	turn := upright
	if format == "jpeg" {
		turn = orientation(data)
	}
	size := decoded.Bounds().Size()
	if format != "gif" && turn == upright && max(size.X, size.Y) <= MostSide && len(data) <= MostBytes {
		return Picture{Type: "image/" + format, Width: size.X, Height: size.Y, Data: data}, nil
	}
	for side := MostSide; ; side /= 2 {
		scaled := turn.apply(shrunk(decoded, side))
		size := scaled.Bounds().Size()
		if typ, data, err := encode(scaled, format == "jpeg"); err != nil || len(data) <= MostBytes {
			return Picture{Type: typ, Width: size.X, Height: size.Y, Data: data}, err
		}
	}
}

// shrunk returns an image with at most so many pixels a side.
func shrunk(from image.Image, side int) *image.NRGBA {
	size := from.Bounds().Size()
	if longer := max(size.X, size.Y); longer > side {
		size = image.Pt(max(1, size.X*side/longer), max(1, size.Y*side/longer))
	}
	to := image.NewNRGBA(image.Rectangle{Max: size})
	draw.BiLinear.Scale(to, to.Bounds(), from, from.Bounds(), draw.Src, nil)
	return to
}

// encode writes an image without loss if it was no photograph and that is not too large,
// else as a JPEG, on white.
func encode(from *image.NRGBA, photograph bool) (typ string, data []byte, err error) {
	var out bytes.Buffer
	if !photograph {
		if err := png.Encode(&out, from); err != nil || out.Len() <= MostBytes {
			return "image/png", out.Bytes(), err
		}
	}
	opaque := image.NewRGBA(from.Bounds())
	draw.Draw(opaque, opaque.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.Draw(opaque, opaque.Bounds(), from, image.Point{}, draw.Over)
	for _, quality := range []int{85, 70, 50} {
		out.Reset()
		if err := jpeg.Encode(&out, opaque, &jpeg.Options{Quality: quality}); err != nil || out.Len() <= MostBytes {
			return "image/jpeg", out.Bytes(), err
		}
	}
	return "image/jpeg", out.Bytes(), nil
}
