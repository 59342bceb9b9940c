package workspace

import "time"

// Instructions is the file in a workspace that tells agents how to work in it.
type Instructions struct {
	Name, Text string // "" if there is none
	Changed    time.Time
}

// Instructions reads AGENTS.md, else CLAUDE.md, of the workspace of all tasks. A workspace
// that is one task's has none: its files are the agents' own.
func (s *Set) Instructions() Instructions {
	if s.dir == "" {
		return Instructions{}
	}
	folder, err := s.Of("", "")
	if err != nil {
		return Instructions{}
	}
	for _, name := range []string{"AGENTS.md", "CLAUDE.md"} {
		if file, err := folder.Read(name); err == nil && len(file.Content) > 0 {
			return Instructions{Name: name, Text: string(file.Content), Changed: file.Time}
		}
	}
	return Instructions{}
}
