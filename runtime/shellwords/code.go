package shellwords

import (
	"slices"
	"strings"
)

// startup reports whether NAME or NAME=value sets such a variable.
func startup(assignment string) bool {
	name, _, _ := strings.Cut(assignment, "=")
	name = strings.TrimSuffix(name, "+")
	return startups[name] ||
		slices.ContainsFunc(startupBeginnings, func(begin string) bool { return strings.HasPrefix(name, begin) }) ||
		slices.ContainsFunc(startupEndings, func(end string) bool { return strings.HasSuffix(name, end) })
}

// interprets reports whether a name is one of an interpreter, also with its version:
// python3.12.
func interprets(name string) bool {
	return interpreters[name] || interpreters[strings.TrimRight(name, "0123456789.-")]
}

// RunsOthers reports whether a call that begins with these words runs what its later words
// say: a shell, an interpreter, a wrapper such as env, go run. Who allows these words allows
// everything.
func RunsOthers(words ...string) bool {
	if len(words) == 0 {
		return false
	}
	name := called(words[0])
	_, wraps := wrappers[name]
	if wraps || shells[name] || interprets(name) || unread[name] || makers[name] || finders[name] || moreRunners[name] {
		return true
	}
	return len(words) > 1 && slices.Contains(runsNext[name], words[1])
}

// runsCode reports whether a call runs code or a command that is not read here.
func runsCode(name string, args []word) bool {
	switch {
	case unread[name]:
		return true
	case len(runsNext[name]) > 0 && len(args) > 0 && !args[0].known:
		return true
	case interprets(name) && !namesFile(name, args):
		return true
	case awks[name]:
		return slices.ContainsFunc(args, awkRuns)
	case seds[name]:
		return sedRuns(args)
	case makers[name] && slices.ContainsFunc(args, makeRuns):
		return true
	case name == "tar" && len(args) > 0 && !strings.HasPrefix(args[0].text, "-") && strings.ContainsAny(args[0].text, "IF"):
		return true
	}
	return carriesCode(name, args)
}

// carriesCode reports whether a call has an option of a carrier, or is any call of one.
func carriesCode(name string, args []word) bool {
	keys := []string{name}
	for _, w := range args[:min(len(args), mostBefore)] {
		keys = append(keys, name+" "+w.text)
	}
	return slices.ContainsFunc(keys, func(key string) bool {
		options, is := carriers[key]
		return is && (len(options) == 0 || slices.ContainsFunc(args, func(w word) bool { return carriesAny(w.text, options) }))
	})
}

// mostBefore is how many words are looked through for what a program is told to do: its
// options stand before it.
const mostBefore = 4

// carries reports whether a word is an option, with what is attached to it or not.
func carries(text, option string) bool {
	short := len(option) == 2
	switch {
	case text == option, strings.HasPrefix(text, option+"="):
		return true
	case option == "+":
		return strings.HasPrefix(text, option)
	case short:
		return len(text) > 1 && text[0] == '-' && text[1] != '-' && strings.Contains(text, option[1:])
	case strings.HasPrefix(option, "--"):
		name, _, _ := strings.Cut(text, "=")
		return len(name) > 2 && strings.HasPrefix(option, name)
	}
	return false
}

// carriesAny reports whether a word is one of some options.
func carriesAny(text string, options []string) bool {
	return slices.ContainsFunc(options, func(option string) bool { return carries(text, option) })
}

// namesFile reports whether an interpreter is called with a file, or for its version alone.
func namesFile(name string, args []word) bool {
	if strings.HasPrefix(name, "python") {
		for len(args) > 1 && pythonFlags[args[0].text] {
			args = args[1:]
		}
		if len(args) > 1 && args[0].text == "-m" {
			return args[1].known && pythonModules[args[1].text]
		}
	}
	if len(args) == 1 && asksAbout[args[0].text] {
		return true
	}
	if len(args) == 0 || !args[0].known {
		return false
	}
	file := args[0].text
	return file != "" && file[0] != '-' && !strings.HasPrefix(file, "/dev/") && !strings.HasPrefix(file, "/proc/")
}

// awkRuns reports whether a word may be a program of awk that starts others, or name what is
// not read.
func awkRuns(w word) bool {
	return !w.known || strings.Contains(w.text, "system") || strings.ContainsAny(w.text, "|@") ||
		w.text == "-" || w.text == "-f-" || strings.HasPrefix(w.text, "/dev/") || carriesAny(w.text, awkOptions)
}

// makeRuns reports whether a word may set a variable of a make, or be code or name its input.
func makeRuns(w word) bool {
	return !w.known || strings.Contains(w.text, "=") || w.text == "-" || w.text == "-f-" || carriesAny(w.text, makeOptions)
}

// sedRuns reports whether a script of sed may start programs.
func sedRuns(args []word) bool {
	var scripts []word
	for i := 0; i < len(args); i++ {
		text := args[i].text
		switch {
		case !args[i].known:
			return true
		case text == "-e" || text == "--expression":
			if i++; i < len(args) {
				scripts = append(scripts, args[i])
			}
		case sedFlags[text]:
		case strings.HasPrefix(text, "-i"), strings.HasPrefix(text, "-") && strings.Trim(text[1:], "nErsuz") == "":
		case strings.HasPrefix(text, "-"):
			return true
		case len(scripts) == 0:
			scripts = append(scripts, args[i])
		}
	}
	return slices.ContainsFunc(scripts, func(w word) bool { return !w.known || !harmlessSed.MatchString(w.text) })
}
