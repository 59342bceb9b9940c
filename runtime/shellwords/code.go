package shellwords

import (
	"regexp"
	"slices"
	"strings"
)

// setOfAll is setOf of several groups, each of which has its own reason to be there.
func setOfAll(groups ...string) map[string]bool { return setOf(strings.Join(groups, " ")) }

// interpreters run code in a language of their own, which is not read: of an option, of their
// input, or of a file, which is named first.
var interpreters = setOfAll(
	`perl raku ruby irb php lua luajit tclsh wish expect python pypy ipython bpython`,
	`node nodejs deno bun ts-node tsx coffee rscript r julia octave osascript`,
	`jshell groovy scala kotlin clojure clj bb guile scheme racket sbcl clisp csi chez janet ghci runghc runhaskell erl escript elixir iex dart swift`,
	`fish csh tcsh rc nu xonsh elvish pwsh powershell`, // shells that are not read as bash is
	`m4 dc`,
)

// unread are programs of which any call may start what its words, its input or a file of
// settings say.
var unread = setOfAll(
	`ssh autossh mosh rsh rlogin sshpass pdsh ansible salt fab vagrant newgrp capsh cmd`, // a shell, here or elsewhere
	`at batch crontab tmux screen zellij socat gdbserver schroot machinectl toolbox distrobox`,
	`xterm gnome-terminal konsole alacritty kitty foot xdotool i3-msg swaymsg`, // later, or in a session of its own
	`gdb lldb dlv vi vim view nvim ex ed emacs emacsclient`,                    // a command of theirs is a shell
	`sqlite3 psql mysql mariadb mongosh`,
	`bind complete compgen`,                    // of bash itself
	`pee concurrently npm-run-all run-s run-p`, // each word is a script
)

// carriers run what stands in or behind an option: -x also as -ax, --option also shortened.
// With two words the second is what the first is told to do. An option that is empty is any
// call.
var carriers = map[string]string{
	"git":               "-c --config-env --exec-path --extcmd --exec --upload-pack --receive-pack --open-files-in-pager --ext-diff",
	"git clone":         "-u",
	"git grep":          "-O",
	"git rebase":        "-x",
	"git difftool":      "",
	"git mergetool":     "",
	"git bisect":        "",
	"git submodule":     "",
	"git filter-branch": "",
	"git send-email":    "",
	"git config":        "", // an alias and a hook's folder are settings
	"docker run":        "",
	"docker exec":       "",
	"podman run":        "",
	"podman exec":       "",
	"kubectl exec":      "",
	"kubectl run":       "",
	"kubectl debug":     "",
	"deno eval":         "",
	"deno repl":         "",
	"bun repl":          "",
	"npm explore":       "",
	"composer exec":     "",
	"rails runner":      "",
	"cargo watch":       "",
	"nix run":           "",
	"nix shell":         "",
	"nix develop":       "",
	"guix shell":        "",
	"less":              "+",
	"npm":               "--script-shell",
	"go":                "-exec --exec -toolexec --toolexec -vettool --vettool",
	"cargo":             "--config",
	"tar":               "-I -F --to-command --checkpoint-action --use-compress-program --info-script --new-volume-script --rsh-command --rmt-command",
	"gtar":              "-I -F --to-command --checkpoint-action --use-compress-program --info-script --new-volume-script --rsh-command --rmt-command",
	"bsdtar":            "--use-compress-program",
	"rsync":             "-e --rsh --rsync-path",
	"scp":               "-S -o -F",
	"sftp":              "-S -o -F -b -D",
	"zip":               "-TT --unzip-command",
	"nc":                "-e -c --exec --sh-exec --lua-exec",
	"ncat":              "-e -c --exec --sh-exec --lua-exec",
	"netcat":            "-e -c --exec",
	"rg":                "--pre --hostname-bin",
	"sort":              "--compress-program",
	"split":             "--filter",
	"install":           "--strip-program",
	"man":               "-P -H --pager --html",
	"wget":              "--use-askpass",
	"tcpdump":           "-z",
	"nodemon":           "-x --exec",
	"gcc":               "-wrapper -fplugin -specs",
	"g++":               "-wrapper -fplugin -specs",
	"cc":                "-wrapper -fplugin -specs",
	"c++":               "-wrapper -fplugin -specs",
	"cmake":             "-E -P",
	"mapfile":           "-C",
	"readarray":         "-C",
	"hash":              "-p",
	"enable":            "-f",
}

// makers take variables among their words, some of which are commands, and commands behind
// some options.
var makers = setOf(`make gmake bmake ninja just task`)

// moreRunners are those that run what words say behind the first ones, which matters only for
// what follows them: see RunsOthers.
var moreRunners = setOfAll(
	`awk gawk mawk nawk sed gsed bc parallel docker podman kubectl java source eval . trap alias git-shell`,
	`cmake ctest gradle gradlew mvn mvnw ant rake bazel bazelisk meson scons invoke tox nox`, // as make does, by options and variables
	`gcc g++ cc c++ clang clang++ rustc`,                                                  // -wrapper, -fplugin, linkers
	`tar gtar bsdtar rsync scp sftp zip nc ncat netcat tcpdump man nodemon rg sort split`, // see carriers
)

// runsNext are programs of which only some subcommands run what follows. Who allows npm run
// allows every script, and who allows git push allows --receive-pack=COMMAND.
var runsNext = map[string]string{
	"go":         "run generate tool",
	"cargo":      "run",
	"npm":        "run run-script exec x explore",
	"pnpm":       "run dlx exec",
	"yarn":       "run dlx exec",
	"bun":        "run x repl",
	"deno":       "run task eval repl",
	"dotnet":     "run exec tool",
	"mix":        "run",
	"composer":   "run run-script exec",
	"rails":      "runner",
	"nix":        "run shell develop",
	"guix":       "shell",
	"conda":      "run",
	"mamba":      "run",
	"micromamba": "run",
	"git":        "push fetch pull clone ls-remote archive grep rebase difftool mergetool bisect submodule filter-branch send-email config",
}

// startups are variables whose value is a command, options of a program that may name one, or
// a file that is run at a start.
var startups = setOfAll(
	`BASH_ENV ENV ZDOTDIR PROMPT_COMMAND PS0 PS1 PS2 PS4 SHELLOPTS BASHOPTS SHELL`,
	`LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES`,
	`MAKEFLAGS MAKEFILES GOFLAGS PERL5OPT PERL5DB RUBYOPT NODE_OPTIONS PYTHONSTARTUP JAVA_TOOL_OPTIONS TAR_OPTIONS`,
	`VISUAL BROWSER LESSOPEN LESSCLOSE CC CXX LD RUSTC`,
)

// startup reports whether NAME or NAME=value sets such a variable.
func startup(assignment string) bool {
	name, _, _ := strings.Cut(assignment, "=")
	name = strings.TrimSuffix(name, "+")
	return startups[name] || strings.HasPrefix(name, "GIT_CONFIG") || strings.HasPrefix(name, "BASH_FUNC_") ||
		slices.ContainsFunc([]string{"EDITOR", "PAGER", "_COMMAND", "_ASKPASS", "_SSH", "_RSH", "_WRAPPER", "_EXTERNAL_DIFF"}, func(end string) bool { return strings.HasSuffix(name, end) })
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
	if wraps || shells[name] || interprets(name) || unread[name] || makers[name] || moreRunners[name] || name == "find" || name == "fd" || name == "fdfind" {
		return true
	}
	return len(words) > 1 && has(runsNext[name], words[1])
}

// runsCode reports whether a call runs code or a command that is not read here.
func runsCode(name string, args []word) bool {
	switch {
	case unread[name], runsNext[name] != "" && len(args) > 0 && !args[0].known:
		return true
	case interprets(name) && !namesFile(name, args):
		return true
	case name == "awk", name == "gawk", name == "mawk", name == "nawk":
		return slices.ContainsFunc(args, awkRuns)
	case name == "sed", name == "gsed":
		return sedRuns(args)
	case makers[name] && slices.ContainsFunc(args, func(w word) bool {
		return !w.known || strings.Contains(w.text, "=") || w.text == "-" || w.text == "-f-" || carries(w.text, "-E") || carries(w.text, "--eval")
	}):
		return true
	case name == "tar" && len(args) > 0 && !strings.HasPrefix(args[0].text, "-") && strings.ContainsAny(args[0].text, "IF"):
		return true
	}
	keys := []string{name}
	for _, w := range args[:min(len(args), mostBefore)] {
		keys = append(keys, name+" "+w.text)
	}
	for _, key := range keys {
		options, is := carriers[key]
		if is && (options == "" || slices.ContainsFunc(args, func(w word) bool {
			return slices.ContainsFunc(strings.Fields(options), func(option string) bool { return carries(w.text, option) })
		})) {
			return true
		}
	}
	return false
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

// namesFile reports whether an interpreter is called with a file, or to say its version.
func namesFile(name string, args []word) bool {
	if strings.HasPrefix(name, "python") {
		for len(args) > 1 && has("-u -B", args[0].text) {
			args = args[1:]
		}
		if len(args) > 1 && args[0].text == "-m" {
			return args[1].known && has("pytest unittest pip venv build mypy ruff black json.tool http.server", args[1].text)
		}
	}
	if len(args) == 1 && has("--version --help -V -v -h", args[0].text) {
		return true
	}
	return len(args) > 0 && args[0].known && args[0].text != "" && args[0].text[0] != '-' && !strings.HasPrefix(args[0].text, "/dev/") && !strings.HasPrefix(args[0].text, "/proc/")
}

// awkRuns reports whether a word may be a program of awk that starts others, or name what is
// not read.
func awkRuns(w word) bool {
	return !w.known || strings.Contains(w.text, "system") || strings.ContainsAny(w.text, "|@") ||
		w.text == "-" || w.text == "-f-" || strings.HasPrefix(w.text, "/dev/") || carries(w.text, "-l") || carries(w.text, "-i") || carries(w.text, "-E") || carries(w.text, "--load") || carries(w.text, "--include") || carries(w.text, "--exec")
}

// harmlessSed are scripts of sed that start nothing: e does, also behind s///.
var harmlessSed = regexp.MustCompile(`^([0-9,$ ]*[pdqP=]?;? ?)*$|^/[^/]*/[pdq]$|^([0-9,$]*s(/([^/\\\n]|\\[^\n])*/([^/\\\n]|\\[^\n])*/|#[^#\\\n]*#[^#\\\n]*#|\|[^|\\\n]*\|[^|\\\n]*\||,[^,\\\n]*,[^,\\\n]*,)[gipI0-9]*;? ?)+$`)

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
		case has("-- --quiet --silent --in-place --regexp-extended --null-data --separate --unbuffered --posix --sandbox", text):
		case strings.HasPrefix(text, "-i"), strings.HasPrefix(text, "-") && strings.Trim(text[1:], "nErsuz") == "":
		case strings.HasPrefix(text, "-"):
			return true
		case len(scripts) == 0:
			scripts = append(scripts, args[i])
		}
	}
	return slices.ContainsFunc(scripts, func(w word) bool { return !w.known || !harmlessSed.MatchString(w.text) })
}
