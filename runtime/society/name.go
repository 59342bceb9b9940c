package society

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"society-tui/runtime/protocol"
)

// ScreenName returns how users read an agent without a display name: the name of its role,
// followed by the number of its id unless no other agent of that role was ever made. Where the
// id begins with a word of its template, as in pro-1 and contra-1, the whole id follows: its
// number alone is also that of others of the role. Commands and models take the id.
func ScreenName(id AgentID, role string, sole bool) string {
	number, ok := numberOf(string(id))
	if role == "" || !ok {
		return string(id)
	}
	// The only agent of the role web-2 is not to be read as the second of the role web.
	if _, doubtful := numberOf(role); sole && !doubtful {
		return role
	}
	if word := strings.TrimSuffix(string(id), "-"+number); word != protocol.NoSlug && protocol.Slug(role) == protocol.NoSlug {
		return role + " " + string(id)
	}
	return role + "-" + number
}

// FullName returns the name of an agent with the display name that the user gave it, "" for none.
func FullName(given, screen string) string {
	if given == "" {
		return screen
	}
	if last, _ := utf8.DecodeLastRuneInString(given); unicode.Is(unicode.Han, last) {
		return given + "（" + screen + "）"
	}
	return given + " (" + screen + ")"
}

// numberOf returns the digits after the last hyphen of a name.
func numberOf(name string) (digits string, ok bool) {
	at := strings.LastIndexByte(name, '-')
	digits = name[at+1:]
	return digits, at > 0 && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// IsSole reports whether no other agent of the same role was ever made, ended ones included.
// Copies do not count, and are never the only one.
func (s *State) IsSole(id AgentID) bool {
	a, t := s.agents[id], s.tombs[id]
	return s.made[s.RoleName(id)] == 1 && (a == nil || !a.Copied) && (t == nil || !t.Copied)
}

// counted returns how many agents one counts as in State.made.
func counted(copied bool) int {
	if copied {
		return 0
	}
	return 1
}

// ScreenName returns how users read an agent that has no display name. Of one that was
// terminated it is what it was.
func (s *State) ScreenName(id AgentID) string {
	if s.agents[id] == nil && s.tombs[id] == nil {
		return string(id)
	}
	return ScreenName(id, s.RoleName(id), s.IsSole(id))
}

// fullName is ScreenName with the display name.
func (s *State) fullName(id AgentID) string {
	given := ""
	if a := s.agents[id]; a != nil {
		given = a.Name
	}
	return FullName(given, s.ScreenName(id))
}

// Names counts the changes of the names of agents there were since the society was loaded.
func (s *State) Names() uint64 { return s.names }

// countMade counts an agent that is made. With the second of a role the first gets its number
// on the screen.
func (s *State) countMade(a *Agent) {
	name := s.RoleName(a.ID)
	s.made[name] += counted(a.Copied)
	if a.Copied || s.made[name] != 2 {
		return
	}
	s.names++
	for _, first := range s.agents {
		if first != a && s.RoleName(first.ID) == name {
			s.list(first)
		}
	}
}

// countByRole counts all agents there were by the name of their role.
func (s *State) countByRole() map[string]int {
	made := map[string]int{}
	for id := range s.agents {
		made[s.RoleName(id)] += counted(s.agents[id].Copied)
	}
	for _, t := range s.tombs {
		made[t.RoleName] += counted(t.Copied)
	}
	return made
}
