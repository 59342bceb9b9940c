package config

import (
	"maps"
	"os"
	"strings"

	"society-tui/runtime/session"
)

// A session remembers the folder that --workspace named when it was last opened with that: its
// files, their changes and what was allowed belong to that folder.

// InSession returns the settings for a session that is opened after the first: with the folder
// that it remembers, else with that of the flags and settings, and without --mode, which is for
// the first alone. Its warnings are of that folder alone.
func (s Settings) InSession(name string) Settings {
	if name == s.Session {
		return s
	}
	s.origin = maps.Clone(s.origin)
	if s.Recalled {
		delete(s.origin, "workspace")
	}
	s.Workspace, s.Recalled, s.Warnings = s.own, false, nil
	if s.ModeFlag() != "" {
		s.Mode, s.origin["mode"] = s.modeBeforeFlag, s.modeOriginBeforeFlag
	}
	s.recall(name)
	if s.Workspace == "" {
		s.Isolate = "" // there is nothing to make worktrees of
	}
	return s
}

// KeepWorkspace remembers the folder of the flag for a session.
func (s *Settings) KeepWorkspace(name string) error {
	if s.origin["workspace"].Flag == "" || s.Workspace == "" {
		return nil
	}
	if err := os.MkdirAll(s.Data, 0o700); err != nil {
		return err
	}
	return replaceFile(session.Workspace(s.Data, name), []byte(s.Workspace+"\n"))
}

// recallWorkspace takes the folder that the first session remembers, unless the call names one.
func (s *Settings) recallWorkspace() {
	given := *s
	_ = given.findWorkspace() // check tells it
	s.own = given.Workspace
	if from := s.origin["workspace"]; from.Flag == "" && from.Variable == "" && session.Check(s.Session) == nil {
		s.recall(s.Session)
	}
}

// recall takes the folder that a session remembers. One that cannot be used any more is warned
// of, and the session is opened as without it.
func (s *Settings) recall(name string) {
	file := session.Workspace(s.Data, name)
	raw, err := os.ReadFile(file)
	dir := strings.TrimSuffix(string(raw), "\n")
	if err != nil || dir == "" {
		return
	}
	was := s.Workspace
	s.Workspace = dir
	if err := s.findWorkspace(); err != nil {
		s.Workspace = was
		s.Warnings = append(s.Warnings, textForgotten.With(err))
		return
	}
	s.Recalled = true
	s.origin["workspace"] = Origin{File: file, Line: 1}
}
