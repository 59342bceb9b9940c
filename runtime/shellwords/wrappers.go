package shellwords

import (
	"slices"
	"strings"
)

// A wrapper runs the program that its arguments name.
type wrapper struct {
	values  string // options that take the next word, of one letter and longer
	flags   string // those that do not
	assigns bool   // variables may stand before the program
	skip    int    // words before the program
	script  string // options that take a script of a shell
	joins   bool   // the words are a script together
	maybe   bool   // a word may stand before the program
}

// wrappers are known by their names, or by these and what they are told to do.
var wrappers = map[string]wrapper{
	// The environment.
	"env":       {values: "u C a --unset --chdir --argv0", flags: "i 0 v --ignore-environment --null --debug", assigns: true, script: "S --split-string"},
	"cross-env": {assigns: true},
	"dotenv":    {},
	"direnv":    {skip: 2},
	"mise":      {skip: 1},
	"asdf":      {skip: 1},
	"doppler":   {skip: 1},
	"op":        {skip: 1},
	"faketime":  {flags: "m", skip: 1},

	// Another user, another root.
	"sudo":          {values: "u g h p C T r t D R U --user --group --host --prompt --chdir --chroot --role --type", flags: "A b E e H K k l n P S s i v", assigns: true},
	"doas":          {values: "u C a", flags: "L n s", assigns: true},
	"pkexec":        {values: "--user", flags: "--disable-internal-agent"},
	"su":            {values: "g G s w", flags: "l m p f P", script: "c --command --session-command"},
	"runuser":       {values: "u g G s w", flags: "l m p f P", script: "c --command"},
	"sg":            {skip: 1, script: "c", joins: true},
	"gosu":          {skip: 1},
	"su-exec":       {skip: 1},
	"setuidgid":     {skip: 1},
	"chpst":         {values: "u U b / n l L o p f c r t m d e", flags: "P 0 1 2 v V"},
	"runcon":        {values: "t u r l --type --user --role --range", flags: "c --compute", maybe: true},
	"setpriv":       {},
	"chroot":        {values: "--userspec --groups", skip: 1},
	"unshare":       {values: "S G R w", flags: "m u i n p U C T r c f --fork --map-root-user --net --user --mount --pid"},
	"nsenter":       {values: "t S G --target", flags: "a m u i n p U C r w F --all"},
	"bwrap":         {},
	"firejail":      {},
	"nsjail":        {},
	"minijail0":     {},
	"flatpak-spawn": {},
	"proot":         {values: "r b w q v R S"},
	"fakeroot":      {values: "l s i b"},
	"fakechroot":    {},

	// How it runs: priorities, limits, processors, time.
	"nohup":           {},
	"setsid":          {flags: "c f w --ctty --fork --wait"},
	"nice":            {values: "n --adjustment", flags: "0 1 2 3 4 5 6 7 8 9"},
	"ionice":          {values: "c n p P u --class --classdata", flags: "t"},
	"chrt":            {values: "T P D", flags: "a b d f i m o p r R v", skip: 1},
	"taskset":         {flags: "a c p", skip: 1},
	"numactl":         {values: "i N m C p"},
	"prlimit":         {},
	"choom":           {values: "n p --adjust --pid"},
	"uclampset":       {values: "m M p", flags: "a s R v"},
	"cpulimit":        {values: "l e p P --limit", flags: "b f z m q v i"},
	"cgexec":          {values: "g", flags: "--sticky"},
	"systemd-run":     {values: "p u E M H", flags: "d G P q t r S"},
	"systemd-inhibit": {values: "--what --who --why --mode"},
	"timeout":         {values: "k s --kill-after --signal", flags: "v --preserve-status --foreground --verbose", skip: 1},
	"gtimeout":        {values: "k s --kill-after --signal", flags: "v --preserve-status --foreground", skip: 1},
	"time":            {values: "f o --format --output", flags: "p v a"},
	"stdbuf":          {values: "i o e --input --output --error"},
	"eatmydata":       {},
	"caffeinate":      {values: "t w", flags: "d i m s u"},
	"setarch":         {flags: "R F Z L X B I S T 3 v --uname-2.6 --addr-no-randomize --verbose", maybe: true},
	"arch":            {flags: "x"},
	"ld.so":           {values: "--library-path --preload --argv0 --audit", flags: "--inhibit-cache"},

	// The first process, or one in the background.
	"tini":              {values: "p e", flags: "v s g w l"},
	"dumb-init":         {values: "r --rewrite", flags: "c v --single-child --verbose"},
	"catatonit":         {flags: "g P"},
	"start-stop-daemon": {values: "x a p n u"},
	"daemon":            {},
	"daemonize":         {},

	// Words of a shell.
	"command":   {flags: "p v V"},
	"builtin":   {},
	"exec":      {values: "a", flags: "c l"},
	"coproc":    {},
	"noglob":    {},
	"nocorrect": {},

	// Again and again, or for each of many.
	"xargs":     {values: "I i J n N L P d D a E s S R --replace --max-args --max-procs --max-lines --delimiter --arg-file", flags: "0 r t p x o --null --no-run-if-empty --verbose --exit"},
	"parallel":  {values: "j I a S --jobs --arg-file", flags: "k q X m", joins: true},
	"watch":     {values: "n --interval", flags: "b d e g t x c", joins: true},
	"entr":      {flags: "a c d n p r z", script: "s"},
	"watchexec": {values: "e w i f", flags: "r c n"},
	"hyperfine": {values: "w r m M p c S --warmup --runs", flags: "i N", joins: true},

	// One at a time, or only if.
	"flock":   {values: "w E --timeout", flags: "e n o s u x F", skip: 1, script: "c --command"},
	"setlock": {flags: "n N x X", skip: 1},
	"ifne":    {flags: "n"},
	"chronic": {flags: "e v"},

	// With a terminal, a screen, a bus, a key, a proxy.
	"script":           {values: "E I O B T", flags: "a e f q", script: "c --command"},
	"unbuffer":         {flags: "p"},
	"rlwrap":           {},
	"xvfb-run":         {values: "n s e f p w", flags: "a"},
	"dbus-launch":      {flags: "--exit-with-session"},
	"dbus-run-session": {},
	"ssh-agent":        {values: "a E O P t", flags: "c s k d D"},
	"torsocks":         {},
	"tsocks":           {},
	"proxychains":      {values: "f", flags: "q"},
	"proxychains4":     {values: "f", flags: "q"},

	// Watched while it runs.
	"strace":    {values: "e o p s u E a I P S X b O", flags: "f F c C d h i k q r t T v w x y z"},
	"ltrace":    {values: "e o p s u a A D l n", flags: "b c C f h i L r S t T V x"},
	"catchsegv": {},
	"valgrind":  {},
	"perf":      {skip: 1},
	"heaptrack": {},
	"rr":        {skip: 1},

	// Many programs in one.
	"busybox": {},
	"toybox":  {},

	// Of packages.
	"npx":            {values: "p w --package --workspace", flags: "y q --yes --no --quiet", script: "c --call"},
	"pnpx":           {},
	"bunx":           {flags: "--bun"},
	"uvx":            {values: "p --from --with --python"},
	"pipx":           {skip: 1},
	"npm exec":       {values: "p w --package --workspace", flags: "y q --yes --no", script: "c --call"},
	"npm x":          {values: "p w --package --workspace", flags: "y q --yes --no", script: "c --call"},
	"pnpm dlx":       {values: "--package", script: "c"},
	"pnpm exec":      {script: "c"},
	"yarn dlx":       {values: "p --package", flags: "q"},
	"yarn exec":      {},
	"bun x":          {flags: "--bun"},
	"conda run":      {values: "n p --name --prefix"},
	"mamba run":      {values: "n p --name --prefix"},
	"micromamba run": {values: "n p --name --prefix"},
	"poetry":         {skip: 1},
	"pipenv":         {skip: 1},
	"uv":             {skip: 1},
	"bundle":         {skip: 1},
	"nix-shell":      {values: "p", script: "--run --command"},
}

// wrapped finds the call that a wrapper makes. An option that is not known may take the next
// word, or do anything: then the word behind that is taken for a program too.
func (c *collector) wrapped(name string, w wrapper, args []word) (reads bool) {
	unsure, input := false, ""
	for len(args) > 0 {
		arg := args[0]
		switch {
		case !arg.known:
			c.anything()
		case arg.text == "--":
			args = args[1:]
		}
		option, value, attached := split(arg.text)
		switch {
		case !arg.known || arg.text == "--" || option == "" && (!w.assigns || !strings.Contains(arg.text, "=")):
			return c.behind(name, w, args, unsure, input)
		case option == "":
			if startup(arg.text) {
				c.anything()
			}
		case has(w.script, option):
			if !attached && len(args) > 1 {
				args = args[1:]
				c.text(args[:1])
			} else {
				c.text([]word{{value, arg.known}})
			}
		case has(w.values, option):
			if !attached && len(args) > 1 {
				args = args[1:]
				value = args[0].text
			}
			if name == "xargs" {
				input = value
			}
		case !has(w.flags, option):
			unsure = true
			c.anything()
		case len(option) == 1 && attached: // -0r: several in one word
			if args, value = c.cluster(w, value, args); name == "xargs" && value != "" {
				input = value
			}
		}
		args = args[1:]
	}
	return name == "sudo" || name == "su" || name == "doas" || name == "busybox" // a shell, if anything
}

// cluster takes the options that follow the first in a word. It returns the words from the
// last on that they took, and the value of one that takes one.
func (c *collector) cluster(w wrapper, letters string, args []word) (left []word, value string) {
	at := strings.IndexFunc(letters, func(r rune) bool { return has(w.script, string(r)) || has(w.values, string(r)) })
	if at < 0 {
		return args, ""
	}
	given := word{letters[at+1:], args[0].known}
	if given.text == "" && len(args) > 1 {
		args = args[1:]
		given = args[0]
	}
	if has(w.script, letters[at:at+1]) {
		c.text([]word{given})
	}
	return args, given.text
}

// behind takes what follows the options of a wrapper.
func (c *collector) behind(name string, w wrapper, args []word, unsure bool, input string) (reads bool) {
	args = args[min(w.skip, len(args)):]
	// flock has its script behind the file.
	for i, arg := range args {
		if option, _, _ := split(arg.text); option != "" && has(w.script, option) && i+1 < len(args) {
			c.text(args[i+1 : i+2])
		}
	}
	if len(args) == 0 {
		return false
	}
	if w.joins {
		c.text(args)
	}
	if name == "xargs" || name == "parallel" || name == "entr" { // words of the input are put in and added
		args = slices.Clone(args)
		for i := range args {
			args[i].known = args[i].known && !strings.Contains(args[i].text, "{}") && (input == "" || !strings.Contains(args[i].text, input))
		}
		args = append(args, word{})
	}
	if args[0].text == ":::" { // of parallel: each of these is a command
		for i := range args[1:] {
			c.text(args[i+1 : i+2])
		}
	}
	reads = c.call(args, false)
	if (unsure || w.maybe) && len(args) > 1 {
		reads = c.call(args[1:], false) || reads
	}
	if at := slices.IndexFunc(args, func(w word) bool { return w.text == "--" }); at >= 0 { // as script does
		reads = c.call(args[at+1:], false) || reads
	}
	return reads
}

// split returns the name of an option, of one letter or with its dashes, and what is attached
// to it; "" for a word that is none.
func split(text string) (option, value string, attached bool) {
	switch {
	case len(text) < 2 || text[0] != '-' || text == "--":
		return "", "", false
	case strings.HasPrefix(text, "--"):
		return strings.Cut(text, "=")
	}
	return text[1:2], text[2:], len(text) > 2
}

// has reports whether a list names an option.
func has(options, option string) bool {
	return slices.Contains(strings.Fields(options), option)
}
