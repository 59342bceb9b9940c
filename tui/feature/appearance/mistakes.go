package appearance

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"society-tui/runtime/suggest"
	"society-tui/themes"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// mistakes lists the mistakes in the file of a theme, without its folder.
func (f *Feature) mistakes(e *themes.Entry) []string {
	folder := strings.TrimSuffix(e.From, filepath.Base(e.From))
	var all []string
	for _, err := range themes.Mistakes(e.Err) {
		text := err.Error()
		if m, ok := errors.AsType[*themes.Mistake](err); ok {
			text = f.mistake(m)
		}
		all = append(all, sanitize.Line(strings.ReplaceAll(text, folder, ""), 4*page.TextCells))
	}
	return all
}

// mistake describes a mistake with its place.
func (f *Feature) mistake(m *themes.Mistake) string {
	if m.Line > 0 {
		return fmt.Sprintf("%s:%d", m.File, m.Line) + f.Text(symbols.TextColon) + f.fault(m)
	}
	return m.File + f.Text(symbols.TextColon) + f.fault(m)
}

func (f *Feature) fault(m *themes.Mistake) string {
	known := f.Printer.List(m.Known)
	switch m.Fault {
	case themes.NotAuto:
		return f.Text(notAuto)
	case themes.NotAFile:
		return f.Text(notAFile)
	case themes.TooLarge:
		return f.Text(tooLarge, m.Most)
	case themes.NoRole:
		if near := suggest.Nearest(m.Key, m.Known); near != "" {
			return f.Text(noRoleMeant, m.Key, near)
		}
		return f.Text(noRole, m.Key, known)
	case themes.NoBase:
		return f.Text(noBase, m.Value, known)
	case themes.NoColour:
		return f.Text(notAColour, m.Key, m.Value)
	case themes.NoTables:
		return f.Text(noTables)
	case themes.Twice:
		return f.Text(twice)
	}
	return f.Text(noTOML)
}
