package logfile

import "log/slog"

// LevelWire is debug and the requests and answers of failed model calls.
const LevelWire = slog.LevelDebug - 4

// wire is the name of LevelWire, in lines and in the setting.
const wire = "wire"

// Level returns the level that a setting names: debug, info, warn, error or wire; info for
// any other.
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
