// Package callline says in one line what a call of a tool is about and what it did.
package callline

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"society-tui/runtime/conversation"
	"society-tui/runtime/i18n"
)

// A Call is a call of a tool, with what it answered.
type Call struct {
	Name, Arguments string
	// Result is the text of a call that ended well, "" for any other.
	Result string
	// Agent returns the name of an agent.
	Agent func(id string) string
}

// In returns the line without the tool's name: "a.go +3 −1". It is written by agents and
// their tools, so it must be cleaned before it is drawn.
func (c Call) In(p i18n.Printer) string {
	say, known := lines[c.Name]
	if !known {
		return conversation.About(c.Arguments, c.Result, c.Agent)
	}
	line := say(&call{conversation.Members(c.Arguments), c.Result, p})
	if p.ASCII {
		line = i18n.ASCII(line)
	}
	return line
}

// A call is one whose line is written.
type call struct {
	args   []conversation.Member
	result string
	i18n.Printer
}

// lines write the lines of the tools whose arguments or results say more than the usual.
var lines = map[string]func(*call) string{
	"read": func(c *call) string { return join(c.path(), c.part()) },
	"list": func(c *call) string { return join(c.path(), c.counted(textEntries)) },
	"glob": func(c *call) string { return join(c.arg("pattern", "glob"), c.path(), c.counted(textFiles)) },
	"grep": (*call).grep,
	"write": func(c *call) string {
		return c.changed(c.path())
	},
	"bash":          (*call).bash,
	"fetch":         (*call).fetch,
	"edit":          func(c *call) string { return c.changed(c.path()) },
	"move":          (*call).move,
	"delete":        (*call).delete,
	"artifact_put":  func(c *call) string { return join(c.arg("name"), c.version()) },
	"artifact_get":  func(c *call) string { return join(c.arg("name", "id"), c.part()) },
	"artifact_list": func(*call) string { return "" },
	"todo":          (*call).todo,

	"compress_context": (*call).compress,
}

// arg returns the first of arguments that is there, in a few words.
func (c *call) arg(names ...string) string { return conversation.First(c.args, names) }

// path returns the path in the arguments, by all names that models have for it.
func (c *call) path() string {
	return c.arg("path", "file_path", "file", "filename", "dir", "directory", "folder")
}

// first returns the first line of the result.
func (c *call) first() string {
	line, _, _ := strings.Cut(c.result, "\n")
	return line
}

// changed returns the summary that a change answers, or until then what it is about.
func (c *call) changed(about string) string {
	if first := c.first(); first != "" {
		return first
	}
	return about
}

func (c *call) move() string {
	from, to := c.arg("from", "source", "path", "old_path"), c.arg("to", "destination", "target", "new_path")
	return c.changed(from + " → " + to)
}

// delete leaves out the word with which the result begins, which the tool's name says.
func (c *call) delete() string {
	path := c.path()
	if at := strings.Index(c.first(), path); at > 0 {
		return c.first()[at:]
	}
	return path
}

// bash returns the command, and whether it went to the background: the row tells only how it began then.
func (c *call) bash() string {
	command := c.arg("command", "cmd", "script", "code", "shell_command")
	if c.arg("background", "run_in_background") == "true" {
		return c.T(textBackground, command)
	}
	return command
}

// fetch returns the address, and where it sends to on another host.
func (c *call) fetch() string {
	address := c.arg("url", "uri", "link", "href", "address")
	for _, scheme := range []string{"https://", "http://"} {
		address = strings.TrimPrefix(address, scheme)
	}
	var elsewhere struct {
		To string `json:"redirects_to"`
	}
	if json.Unmarshal([]byte(c.result), &elsewhere) != nil || elsewhere.To == "" {
		return address
	}
	return address + " → " + elsewhere.To
}

// compress returns the first line of the summary: later ones may be for the model only.
func (c *call) compress() string {
	var summary string
	for _, m := range c.args {
		if m.Name == "summary" && json.Unmarshal(m.Value, &summary) != nil {
			return c.arg(m.Name)
		}
	}
	line, _, _ := strings.Cut(strings.TrimSpace(summary), "\n")
	return line
}

func (c *call) grep() string {
	pattern := c.arg("pattern", "regex", "query")
	if pattern != "" {
		pattern = `"` + pattern + `"`
	}
	found := c.counted(textHits)
	if mode := c.arg("mode", "output_mode"); mode == "files" || mode == "count" {
		found = c.counted(textFiles)
	}
	return join(pattern, c.path(), c.arg("glob", "include"), found)
}

var (
	// shown is the line of a hit: one of its surroundings has a hyphen for the colon.
	shown   = regexp.MustCompile(`^.*?([:-])\d+[:-]`)
	numbers = regexp.MustCompile(`\d+`)
)

// counted counts what a search has found, with a plus if there is more. A result
// without a line's end says that there is nothing.
func (c *call) counted(of i18n.Plural) string {
	if c.result == "" {
		return ""
	}
	n, more := 0, ""
	around := c.arg("context", "-C") != ""
	for line := range strings.Lines(c.result) {
		switch {
		case strings.HasPrefix(line, "…"):
			more = "+"
		case !strings.HasSuffix(line, "\n"), around && line == "--\n":
		case around && !isHit(line):
		default:
			n++
		}
	}
	return c.N(of, n, strconv.Itoa(n)+more)
}

func isHit(line string) bool {
	sign := shown.FindStringSubmatch(line)
	return sign == nil || sign[1] == ":"
}

// part returns which lines of how many a page shows.
func (c *call) part() string {
	n := numbers.FindAllString(c.first(), 3)
	if len(n) < 3 {
		return ""
	}
	return c.T(textPart, n[0], n[1], n[2])
}

// version returns the version of an artifact that was kept.
func (c *call) version() string {
	var kept struct{ Version int }
	if json.Unmarshal([]byte(c.result), &kept) != nil || kept.Version == 0 {
		return ""
	}
	return "v" + strconv.Itoa(kept.Version)
}

// todo returns how much of the list is done, and what is being done.
func (c *call) todo() string {
	var items []struct{ Text, Status string }
	for _, m := range c.args {
		if m.Name == "items" && json.Unmarshal(m.Value, &items) != nil {
			return ""
		}
	}
	done, doing := 0, ""
	for _, item := range items {
		switch {
		case item.Status == "done":
			done++
		case item.Status == "in_progress" && doing == "":
			doing = item.Text
		}
	}
	return join(strconv.Itoa(done)+"/"+strconv.Itoa(len(items)), doing)
}

// Failure returns the code of a failed call: "stale". It is "" if the result says none.
func Failure(result string) string {
	if !strings.HasPrefix(result, `{"error":"`) {
		return ""
	}
	const longest = 40
	code, _, ok := strings.Cut(strings.TrimPrefix(result, `{"error":"`), `"`)
	if !ok || len(code) > longest {
		return ""
	}
	return strings.ReplaceAll(code, "_", " ")
}

// join joins the parts that there are.
func join(parts ...string) string {
	var b strings.Builder
	for _, part := range parts {
		if part != "" && b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(part)
	}
	return b.String()
}
