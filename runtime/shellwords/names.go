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
var shells = setOf("sh bash dash zsh ksh ksh93 mksh ash fish rbash yash hush csh tcsh")

// Program returns the name of a program without its folder, as it is compared: some file
// systems do not tell cases apart.
func Program(word string) string {
	return strings.TrimSuffix(strings.ToLower(path.Base(strings.ReplaceAll(word, `\`, "/"))), ".exe")
}

// personalities are the names under which setarch is called.
var personalities = setOf(`
	linux32 linux64 uname26 i386 i486 i586 i686 x86_64 ppc ppc32 ppc64 ppcle ppc64le s390 s390x
	sparc sparc64 mips mips32 mips64 parisc parisc32 parisc64 alpha ia64 armv7l aarch64`)

// called is Program, and one name for those under which a program is called.
func called(word string) string {
	name := Program(word)
	switch {
	case personalities[name]:
		return "setarch"
	case strings.HasPrefix(name, "ld-linux"), strings.HasPrefix(name, "ld-musl"), strings.HasPrefix(name, "ld64"):
		return "ld.so"
	}
	return name
}
