package shellwords

import (
	"regexp"
	"strings"
)

// setOfAll is setOf of several groups, each of which has its own reason to be there.
func setOfAll(groups ...string) map[string]bool { return setOf(strings.Join(groups, " ")) }

// fieldsOf splits the values of a table into words.
func fieldsOf(table map[string]string) map[string][]string {
	split := make(map[string][]string, len(table))
	for key, words := range table {
		split[key] = strings.Fields(words)
	}
	return split
}

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
// A key of two words is a program and its subcommand. Without options any call runs something.
var carriers = fieldsOf(map[string]string{
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
})

// makers take variables among their words, some of which are commands, and commands behind
// some options.
var makers = setOf(`make gmake bmake ninja just task`)

// makeOptions are those of makers behind which code stands.
var makeOptions = []string{"-E", "--eval"}

// finders look for files, and may run a command for each.
var finders = setOf(`find fd fdfind`)

// awks run programs of awk. awkOptions are those that name what is not read.
var (
	awks       = setOf(`awk gawk mawk nawk`)
	awkOptions = []string{"-l", "-i", "-E", "--load", "--include", "--exec"}
)

// seds run scripts of sed. sedFlags are options that start nothing and take no word.
var (
	seds     = setOf(`sed gsed`)
	sedFlags = setOf(`-- --quiet --silent --in-place --regexp-extended --null-data --separate --unbuffered --posix --sandbox`)
)

// harmlessSed are scripts of sed that start nothing: e does, also behind s///.
var harmlessSed = regexp.MustCompile(`^([0-9,$ ]*[pdqP=]?;? ?)*$|^/[^/]*/[pdq]$|^([0-9,$]*s(/([^/\\\n]|\\[^\n])*/([^/\\\n]|\\[^\n])*/|#[^#\\\n]*#[^#\\\n]*#|\|[^|\\\n]*\|[^|\\\n]*\||,[^,\\\n]*,[^,\\\n]*,)[gipI0-9]*;? ?)+$`)

// pythonModules are those behind python -m of which the words are no code, and pythonFlags what
// may stand before it.
var (
	pythonModules = setOf(`pytest unittest pip venv build mypy ruff black json.tool http.server`)
	pythonFlags   = setOf(`-u -B`)
)

// asksAbout are the options with which an interpreter tells of itself and runs nothing.
var asksAbout = setOf(`--version --help -V -v -h`)

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
var runsNext = fieldsOf(map[string]string{
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
})

// startups are variables whose value is a command, options of a program that may name one, or
// a file that is run at a start.
var startups = setOfAll(
	`BASH_ENV ENV ZDOTDIR PROMPT_COMMAND PS0 PS1 PS2 PS4 SHELLOPTS BASHOPTS SHELL`,
	`LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES`,
	`MAKEFLAGS MAKEFILES GOFLAGS PERL5OPT PERL5DB RUBYOPT NODE_OPTIONS PYTHONSTARTUP JAVA_TOOL_OPTIONS TAR_OPTIONS`,
	`VISUAL BROWSER LESSOPEN LESSCLOSE CC CXX LD RUSTC`,
)

// startupBeginnings and startupEndings are what the names of more such variables begin and end with.
var (
	startupBeginnings = []string{"GIT_CONFIG", "BASH_FUNC_"}
	startupEndings    = []string{"EDITOR", "PAGER", "_COMMAND", "_ASKPASS", "_SSH", "_RSH", "_WRAPPER", "_EXTERNAL_DIFF"}
)
