package picture

import (
	"bytes"
	"encoding/binary"
	"image"
)

// A turn is how the pixels of a photograph must be turned to be seen upright, numbered as
// cameras do.
type turn uint16

const upright turn = 1

// orientation returns what a camera has noted in a JPEG; a scaled copy would lose it.
func orientation(data []byte) turn {
	for at := 2; at+4 <= len(data) && data[at] == 0xff; {
		marker, size := data[at+1], int(binary.BigEndian.Uint16(data[at+2:]))
		end := at + 2 + size
		if marker == 0xda || size < 2 || end > len(data) { // the pixels begin
			break
		}
		if exif, ok := bytes.CutPrefix(data[at+4:end], []byte("Exif\x00\x00")); marker == 0xe1 && ok {
			return oriented(exif)
		}
		at = end
	}
	return upright
}

// oriented reads the orientation of the first directory of a TIFF.
func oriented(tiff []byte) turn {
	if len(tiff) < 8 {
		return upright
	}
	var order binary.ByteOrder = binary.LittleEndian
	if tiff[0] == 'M' {
		order = binary.BigEndian
	}
	at := uint64(order.Uint32(tiff[4:]))
	if at+2 > uint64(len(tiff)) {
		return upright
	}
	const entry, tag = 12, 0x0112
	list := tiff[at+2:]
	for range order.Uint16(tiff[at:]) {
		if len(list) < entry {
			break
		}
		if order.Uint16(list) == tag {
			if is := turn(order.Uint16(list[8:])); is >= upright && is <= 8 {
				return is
			}
			break
		}
		list = list[entry:]
	}
	return upright
}

// apply returns the image as it is to be seen.
func (t turn) apply(from *image.NRGBA) *image.NRGBA {
	if t == upright {
		return from
	}
	w, h := from.Rect.Dx(), from.Rect.Dy()
	size := image.Rect(0, 0, w, h)
	if t >= 5 {
		size = image.Rect(0, 0, h, w)
	}
	to := image.NewNRGBA(size)
	for y := range h {
		for x := range w {
			u, v := x, y
			switch t {
			case 2:
				u = w - 1 - x
			case 3:
				u, v = w-1-x, h-1-y
			case 4:
				v = h - 1 - y
			case 5:
				u, v = y, x
			case 6:
				u, v = h-1-y, x
			case 7:
				u, v = h-1-y, w-1-x
			case 8:
				u, v = y, w-1-x
			}
			to.SetNRGBA(u, v, from.NRGBAAt(x, y))
		}
	}
	return to
}
