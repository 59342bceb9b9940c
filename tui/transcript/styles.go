package transcript

import (
	"society-tui/themes"
	"society-tui/tui/difflines"
)

// styles holds all styles of the transcript, made once for a theme.
type styles struct {
	theme                                                 themes.Theme
	text, muted, subtle, accent, danger, success, warning themes.Pen
	info, busy                                            themes.Pen
	user, agent, agentBar                                 themes.Pen
	badge, code, match                                    themes.Pen
}

func newStyles(t themes.Theme) styles {
	p := styles{
		theme:    t,
		text:     t.Pen(t.Text, 0),
		muted:    t.Pen(t.Muted, 0),
		subtle:   t.Pen(t.Subtle, 0),
		accent:   t.Pen(t.Accent, themes.Bold),
		danger:   t.Pen(t.Danger, 0),
		success:  t.Pen(t.Success, 0),
		warning:  t.Pen(t.Warning, 0),
		info:     t.Pen(t.Info, 0),
		busy:     t.Pen(t.Busy, 0),
		user:     t.Pen(t.User, themes.Bold),
		agent:    t.Pen(t.Agent, themes.Bold),
		agentBar: t.Pen(t.Agent, 0),
		badge:    t.SelectionPen(),
		match:    t.MatchPen(),
		code:     t.Pen(t.Quote, 0),
	}
	return p
}

// diff returns the styles of a diff in a text of a style.
func (s *styles) diff(around themes.Pen) *diffPens {
	return &diffPens{
		difflines.Text: around, difflines.Same: s.code, difflines.File: s.text, difflines.Hunk: s.subtle,
		difflines.Added: s.success, difflines.Removed: s.danger,
	}
}
