package config

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/adrg/xdg"

	"society-tui/runtime/approval"
	"society-tui/runtime/graph"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/session"
	"society-tui/runtime/tomlfile"
)

// Places are the folders and the file that are used when no flag names others.
type Places struct {
	Data string // folder of the store
	File string // settings file
	Logs string // folder of the log
	// Templates is the folder of the user's own templates, Themes that of their
	// own themes.
	Templates string
	Themes    string
}

// UserPlaces returns the places of the XDG rules ($XDG_DATA_HOME, $XDG_CONFIG_HOME,
// $XDG_STATE_HOME, or what the system has for them).
func UserPlaces() Places {
	return Places{
		Data: filepath.Join(xdg.DataHome, "society-tui"),
		File: filepath.Join(xdg.ConfigHome, "society-tui", "config.toml"),
		Logs: filepath.Join(xdg.StateHome, "society-tui"),

		Templates: filepath.Join(xdg.ConfigHome, "society-tui", "templates"),
		Themes:    filepath.Join(xdg.ConfigHome, "society-tui", "themes"),
	}
}

// A Flag is a setting from the command line.
type Flag struct {
	Name  string // "--model"
	Key   string // "model.name"; "data" and "file" are the places
	Value string
}

// Sources is all that settings are read from.
type Sources struct {
	Places Places
	Flags  []Flag
	// Getenv is os.Getenv; a variable that is empty counts as not set.
	Getenv func(string) string
	// Themes returns the names that theme may have beside auto, with those of the user's
	// own in that folder.
	Themes func(dir string) []string
	// CheckHTTP returns why http cannot be that address; nil checks none.
	CheckHTTP func(address string) error
	// Keys are the commands that [keys] may change.
	Keys Bindings

	// content is read in place of the settings file, which has that mode, unless it is nil.
	content     *[]byte
	contentMode fs.FileMode
}

// file returns the content and the mode of the settings file.
func (src *Sources) file(path string) ([]byte, fs.FileMode, error) {
	if src.content != nil {
		return *src.content, src.contentMode, nil
	}
	return tomlfile.Read(path)
}

// An Origin is where a setting comes from. The zero Origin is its default.
type Origin struct {
	Flag, Variable, File string // one of them
	Line                 int    // of the file
}

// In returns the origin in a language: "config.toml:12", "environment SOCIETY_MODEL".
func (o Origin) In(lang protocol.Lang) string {
	switch {
	case o.Flag != "":
		return textFlag.With(o.Flag).In(lang)
	case o.Variable != "":
		return textEnvironment.With(o.Variable).In(lang)
	case o.File != "":
		return textInFile.With(o.File, o.Line).In(lang)
	}
	return textDefault.In(lang)
}

// String returns the origin in English.
func (o Origin) String() string { return o.In(protocol.English) }

// A Problem is a setting that cannot be used.
type Problem struct {
	From Origin
	Key  string // "limits.agents"; empty when the file as a whole is wrong
	Why  error

	at string // the path of the setting in the file, if it is one of a list
}

// In returns the problem in a language.
func (p *Problem) In(lang protocol.Lang) string {
	why := p.Why
	if p.Key != "" && p.From.Flag == "" { // which names it
		why = textWrong.With(p.Key, why)
	}
	return textWrong.With(p.From, why).In(lang)
}

// Error returns the problem in English.
func (p *Problem) Error() string { return p.In(protocol.English) }

// Load reads the settings and checks them. Its error names every mistake, a line each, with
// its place; Settings returned with an error must not be used.
func Load(src Sources) (Settings, error) {
	s := Defaults()
	s.origin = map[string]Origin{}
	s.locale = locale(src.Getenv)
	s.suitTerminal(src.Getenv)
	s.Data, s.File, s.Logs = src.Places.Data, src.Places.File, src.Places.Logs
	s.Templates, s.Themes = src.Places.Templates, src.Places.Themes

	for _, flag := range src.Flags { // also for mistakes that hide the others
		if flag.Key == "lang" {
			_ = s.set(flag.Key, flag.Value, Origin{Flag: flag.Name})
		}
	}
	if err := s.place(src.Flags); err != nil {
		return s, err
	}
	_, asked := s.origin["file"]
	problems, whole := s.readFile(&src, asked)
	if !whole {
		return s, errors.Join(problems...)
	}
	problems = append(problems, s.ownSource()...)
	problems = append(problems, s.fromEnvironment(src.Getenv)...)
	problems = append(problems, s.fromFlags(src.Flags)...)
	s.preferNamed()
	problems = append(problems, s.findKeys(src.Getenv)...)
	problems = append(problems, s.findTokens(src.Getenv)...)
	if strings.EqualFold(s.Lang, "zh") {
		s.Lang = "zh-CN"
	}
	s.recallWorkspace()
	problems = append(problems, s.check(&src)...)
	problems = s.disable(problems)
	slices.SortStableFunc(problems, func(a, b error) int { return cmp.Compare(line(a), line(b)) })
	return s, errors.Join(problems...)
}

// place sets the folders and the settings file, which must be known before anything else
// can be read.
func (s *Settings) place(flags []Flag) error {
	for _, flag := range flags {
		if flag.Key != "data" && flag.Key != "file" {
			continue
		}
		path, err := filepath.Abs(flag.Value)
		if err != nil || flag.Value == "" {
			return &Problem{From: Origin{Flag: flag.Name}, Why: textNoPath.With(flag.Value)}
		}
		s.origin[flag.Key] = Origin{Flag: flag.Name}
		if flag.Key == "data" {
			s.Data = path
		} else {
			s.File = path
		}
	}
	for _, path := range []string{s.Data, s.File, s.Logs} {
		if !filepath.IsAbs(path) {
			return &Problem{From: Origin{Variable: "HOME"}, Why: textNoHome.With()}
		}
	}
	return nil
}

// fromEnvironment sets the settings that have a variable of their own. The key
// comes from the variable that the file may have named.
func (s *Settings) fromEnvironment(getenv func(string) string) []error {
	var problems []error
	variable := s.Model.KeyEnv
	if !s.source.IsZero() { // which beats it
		variable = ""
	}
	for _, v := range []struct{ variable, key string }{
		{"SOCIETY_SESSION", "session"},
		{"SOCIETY_MODEL", "model.name"},
		{"SOCIETY_HTTP", "http"},
		{"OPENAI_BASE_URL", "model.base_url"},
		{variable, "model.key"},
	} {
		if v.variable == "" {
			continue
		}
		if text := getenv(v.variable); strings.TrimSpace(text) != "" {
			problems = append(problems, s.set(v.key, text, Origin{Variable: v.variable}))
		}
	}
	return problems
}

func (s *Settings) fromFlags(flags []Flag) []error {
	var problems []error
	for _, flag := range flags {
		if flag.Key == "allow" { // which is no setting: a flag adds to the rules
			s.allowed = append(s.allowed, flag.Value)
			if _, wrong := approval.ParseAllow(flag.Value); wrong != nil {
				problems = append(problems, &Problem{From: Origin{Flag: flag.Name}, Why: wrong})
			}
			continue
		}
		if flag.Key == "mode" && !approval.Mode(flag.Value).Known() { // auto is of the settings alone: it chooses none
			var modes []string
			for _, m := range approval.Modes() {
				modes = append(modes, string(m))
			}
			problems = append(problems, &Problem{From: Origin{Flag: flag.Name}, Key: flag.Key, Why: noneOf(flag.Value, modes)})
			continue
		}
		if flag.Key == "mode" {
			s.modeBeforeFlag, s.modeOriginBeforeFlag = s.Mode, s.origin["mode"]
		}
		if flag.Key != "data" && flag.Key != "file" {
			problems = append(problems, s.set(flag.Key, flag.Value, Origin{Flag: flag.Name}))
		}
	}
	return problems
}

// preferNamed has a model that the flags or the environment of this start name answer, though
// the file asks for the offline one: that choice is older. A flag that asks for it stays.
func (s *Settings) preferNamed() {
	if s.Model.Offline && s.InFile("model.offline") && s.DecidedBy("model.name") != "" {
		s.Model.Offline, s.origin["model.offline"] = false, s.origin["model.name"]
	}
}

// set gives one setting a value and records its origin. It returns an untyped nil if the
// value can be used.
func (s *Settings) set(key, text string, from Origin) error {
	all := fields(s)
	i := slices.IndexFunc(all, func(f field) bool { return f.key == key })
	if i < 0 {
		return &Problem{From: from, Key: key, Why: textUnknown.With()}
	}
	if err := all[i].assign(text); err != nil {
		return &Problem{From: from, Key: key, Why: err}
	}
	s.origin[key] = from
	return nil
}

// check checks every setting against its bounds, and those that bound each other.
func (s *Settings) check(src *Sources) []error {
	var problems []error
	wrong := func(key string, why error) {
		if s.hidden(key) {
			return
		}
		problems = append(problems, &Problem{From: s.stands(key), Key: key, Why: why, at: key})
	}
	for _, f := range s.allFields() {
		if err := f.check(); err != nil {
			wrong(f.key, err)
		}
	}
	if err := session.Check(s.Session); err != nil {
		wrong("session", textWrong.With(strconv.Quote(s.Session), err))
	}
	if themes := src.Themes(s.Themes); s.Theme != "auto" && !slices.Contains(themes, s.Theme) {
		wrong("theme", noneOf(s.Theme, append([]string{"auto"}, themes...)))
	}
	if s.Model.KeyEnv == "" {
		wrong("model.key_env", textEmpty.With())
	}
	if src.CheckHTTP != nil {
		if err := src.CheckHTTP(s.HTTP); err != nil {
			wrong("http", err)
		}
	}
	if err := s.findWorkspace(); err != nil {
		wrong("workspace", err)
	}
	if s.Isolate != "" && s.Workspace == "" {
		wrong("isolate", textIsolateNothing.With())
	}
	s.checkModels(wrong)
	s.checkGraphs(wrong)
	s.checkRules(wrong)
	s.checkShell(wrong)
	s.checkServers(wrong)
	s.checkKeys(src.Keys, wrong)
	if s.Limits.RepeatsEnded < s.Limits.RepeatsWarned {
		wrong("limits.repeats_ended", textEndedBefore.With(s.Limits.RepeatsWarned, s.Limits.RepeatsEnded))
	}
	if s.Limits.KeepRecent >= s.Limits.MaxContextMessages {
		wrong("limits.keep_recent", textKeepsAll.With(s.Limits.MaxContextMessages, s.Limits.KeepRecent))
	}
	return problems
}

// findWorkspace makes the path of the workspace absolute and returns why the folder cannot
// be used. Agents must not change what decides about them.
func (s *Settings) findWorkspace() error {
	if s.Workspace == "" {
		return nil
	}
	dir, err := filepath.Abs(fromHome(s.Workspace))
	if err != nil {
		return textNoPath.With(s.Workspace)
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return textNoWorkspace.With(dir)
	}
	if info, err := os.Stat(real); err != nil || !info.IsDir() {
		return textNoWorkspace.With(dir)
	}
	if own := s.ownIn(real); own != "" {
		return textHoldsOwn.With(dir, own)
	}
	s.Workspace = real
	return nil
}

// fromHome returns a path with the user's home folder in place of a leading ~.
func fromHome(path string) string {
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || rest[0] == '/' || rest[0] == filepath.Separator) {
		if home, err := os.UserHomeDir(); err == nil {
			return home + rest
		}
	}
	return path
}

// ownIn returns what a folder holds of the program's own, "" for nothing.
func (s *Settings) ownIn(dir string) string {
	for _, own := range []string{s.Data, s.File, s.Logs} {
		if there, err := filepath.EvalSymlinks(own); err == nil {
			own = there
		}
		if rel, err := filepath.Rel(dir, own); err == nil && filepath.IsLocal(rel) {
			return own
		}
	}
	return ""
}

// suitTerminal turns ASCII on where nothing else can be shown, unless the user set it: on
// the console of Linux and on a VT100 or its kin, and where the locale names an encoding
// other than UTF-8.
func (s *Settings) suitTerminal(getenv func(string) string) {
	if kind := getenv("TERM"); kind == "linux" || len(kind) > 2 && kind[:2] == "vt" && kind[2] >= '0' && kind[2] <= '9' {
		s.ASCII, s.origin["ascii"] = true, Origin{Variable: "TERM"}
		return
	}
	for _, variable := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		set := getenv(variable)
		if set == "" {
			continue
		}
		_, encoding, named := strings.Cut(set, ".")
		encoding, _, _ = strings.Cut(encoding, "@")
		if named && !strings.EqualFold(strings.ReplaceAll(encoding, "-", ""), "utf8") {
			s.ASCII, s.origin["ascii"] = true, Origin{Variable: variable}
		}
		return
	}
}

// line returns the line of a problem in the file; others come after all lines.
func line(err error) int {
	if p, ok := errors.AsType[*Problem](err); ok && p.From.File != "" {
		return p.From.Line
	}
	return math.MaxInt
}

// hidden reports whether a mistake may follow from one that is reported already: because it
// is in the same table of a list as what could not be read, or is the same setting. Parts
// of a graph are told apart.
func (s *Settings) hidden(key string) bool {
	table := func(path string) string {
		if i := strings.IndexByte(path, ']'); i >= 0 {
			return path[:i+1]
		}
		return path
	}
	return slices.ContainsFunc(s.unread, func(path string) bool {
		if strings.HasPrefix(path, "graphs[") && graph.Apart(path[strings.LastIndexByte(path, '.')+1:]) {
			return tomlfile.Touches(path, key)
		}
		return table(path) == table(key)
	})
}

// stands returns where a setting of a list came from, or the nearest table around it.
func (s *Settings) stands(key string) Origin {
	for path := key; strings.ContainsRune(path, '['); path = path[:strings.LastIndexAny(path, ".[")] {
		if at, ok := s.origin[path]; ok {
			return at
		}
	}
	return s.origin[key]
}

// locale returns the language of the user's environment, Chinese or else English.
func locale(getenv func(string) string) string {
	set := cmp.Or(getenv("LC_ALL"), getenv("LC_MESSAGES"), getenv("LANG"))
	if strings.HasPrefix(strings.ToLower(set), "zh") {
		return "zh-CN"
	}
	return "en"
}

// A Setting is one that is in force, with its source.
type Setting struct {
	Key   string
	Value string // as the settings file has it; a secret is "[redacted]"
	From  Origin
	// About describes the setting, zero if it is no key of the file; OneOf lists what it may be.
	About i18n.Text
	OneOf []string
	// Text is the value as ChangeOf takes it. Fixed is set if that cannot change the setting:
	// it is a place or a table, or belongs to a model or a server.
	Text  string
	Fixed bool
	Lines bool // Text may have several lines
}

// Effective lists all settings in force and where each came from: the places first, then
// keys that were changed, then the settings in the order of the file, then the [[models]] and the [[mcp]] servers.
func (s *Settings) Effective() []Setting {
	list := []Setting{
		{Key: "data", Value: s.Data},
		{Key: "file", Value: s.File},
		{Key: "logs", Value: s.Logs},
		{Key: "templates", Value: s.Templates},
		{Key: "themes", Value: s.Themes},
	}
	for i := range list {
		list[i].From, list[i].Fixed = s.origin[list[i].Key], true
	}
	for _, name := range slices.Sorted(maps.Keys(s.rebound)) {
		list = append(list, Setting{Key: "keys." + name, Value: keyLiteral(s.rebound[name]), From: s.origin["keys."+name], Fixed: true})
	}
	for _, f := range s.allFields() {
		list = append(list, Setting{
			Key: f.key, Value: f.literal(), From: s.origin[f.key],
			About: about(f.tag), OneOf: f.choices(), Text: f.text(), Fixed: !f.isPlain(), Lines: f.tag.Get("lines") != "",
		})
	}
	return list
}
