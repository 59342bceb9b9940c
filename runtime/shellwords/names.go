package shellwords

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// reserved reports whether a word is one of the grammar in some shell.
func reserved(word string) bool {
	return syntax.IsKeyword(word) || strings.Contains(" coproc select function time repeat foreach end nocorrect in ", " "+word+" ")
}

// builtins are those of bash, dash and zsh that a plain command does not call,
// because they do more than their words say: they change what later words mean (export, set,
// alias), where programs are found (hash, read PATH), the variables (getopts, mapfile), or run
// what is in a word (eval, trap, and test, which runs the index of an array). Of the others
// those that only write or change the folder are left: cd, echo, printf, pwd, true, kill.

var builtins = setOf(`
	. [ [[ alias autoload bg bind break builtin caller chdir command compgen complete compopt
	continue declare dirs disable disown emulate enable eval exec exit export fc fg float
	functions getopts hash help history integer jobs let limit local logout mapfile nameref
	noglob popd print pushd pushln rehash read readarray readonly return sched set setopt shift
	shopt source suspend test times trap ttyctl type typeset ulimit umask unalias unfunction
	unhash unlimit unset unsetopt vared wait whence where which-command zcompile zmodload zstyle`)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// shells read commands from an argument behind -c, or from their input.
var shells = setOf("sh bash dash zsh ksh ksh93 mksh ash fish rbash yash hush")

// interpreters run what is in an argument, or in a file that an argument names, in a
// language of their own; or they run what a variable or an option among their words says, as
// make does. Which words may follow such a name cannot be said by those that stand first.
var interpreters = setOf(`
	awk gawk mawk nawk sed gsed perl ruby irb php lua luajit tclsh wish expect python pypy ipython
	node nodejs deno bun ts-node tsx java jshell groovy scala kotlin osascript pwsh powershell
	cmd rscript julia octave sqlite3 psql mysql gdb lldb vi vim nvim ex ed emacs m4 bc dc make
	gmake ninja just task npx pnpx bunx uvx pipx ssh docker podman kubectl tar rsync zip parallel
	tmux screen socat nc ncat source eval . trap alias git-shell`)

// RunsOthers reports whether a program runs what its later words say: a shell, an
// interpreter, or a wrapper such as env. Who allows its first words allows everything.
func RunsOthers(name string) bool {
	name = Program(name)
	_, wraps := wrappers[name]
	if wraps || shells[name] || interpreters[name] || name == "find" || name == "fd" {
		return true
	}
	return interpreters[strings.TrimRight(name, "0123456789.-")] // python3.12
}

// Program returns the name of a program without its folder, as it is compared: some file
// systems do not tell cases apart.
func Program(word string) string {
	return strings.TrimSuffix(strings.ToLower(path.Base(strings.ReplaceAll(word, `\`, "/"))), ".exe")
}
