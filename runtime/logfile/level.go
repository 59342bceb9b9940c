package logfile

import "log/slog"

// LevelWire is debug and more: what failed model calls sent and were sent back.
const LevelWire = slog.LevelDebug - 4

// wire is what a line of LevelWire and the setting are called.
const wire = "wire"

// Level is the level that a setting names: debug, info, warn, error or wire; info for any
// other.
func Level(name string) slog.Level {
	var level slog.Level
	switch err := level.UnmarshalText([]byte(name)); {
	case name == wire:
		return LevelWire
	case err != nil:
		return slog.LevelInfo
	}
	return level
}
