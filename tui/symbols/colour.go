package symbols

import (
	"image/color"

	"society-tui/themes"
)

// Color returns the theme's colour for the role.
func (r Role) Color(t themes.Theme) color.Color {
	switch r {
	case RoleBusy:
		return t.Busy
	case RoleInfo:
		return t.Info
	case RoleWarning:
		return t.Warning
	case RoleAttention:
		return t.Attention
	case RoleSuccess:
		return t.Success
	case RoleMuted:
		return t.Muted
	case RoleDanger:
		return t.Danger
	case RoleAccent:
		return t.Accent
	}
	return t.Subtle
}

// Pen returns a style in the role's colour, bold if it needs attention.
func (r Role) Pen(t themes.Theme) themes.Pen {
	if r == RoleAttention {
		return t.Pen(t.Attention, themes.Bold)
	}
	return t.Pen(r.Color(t), 0)
}
