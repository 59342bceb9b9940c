// Society-tui is a terminal program in which a person leads a self-organising
// society of AI agents. This file reads the command line, puts the parts
// together, and sees to it that the terminal and the society are left in order,
// however the program ends.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/alecthomas/kong"
	"github.com/charmbracelet/x/term"

	"society-tui/llm"
	"society-tui/llm/chatapi"
	"society-tui/llm/demo"
	"society-tui/llm/registry"
	"society-tui/runtime"
	"society-tui/runtime/config"
	"society-tui/runtime/graph"
	"society-tui/runtime/observe"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/template"
	"society-tui/runtime/tool/org"
	"society-tui/runtime/upkeep"
	"society-tui/storage"
	"society-tui/themes"
	"society-tui/tui"
	"society-tui/tui/stage"
)

// A commandLine is what can be written behind the program's name.
type commandLine struct {
	Data   *string `placeholder:"DIR" help:"Keep the society in this folder."`
	File   *string `name:"config" placeholder:"FILE" help:"Read the settings from this file."`
	Demo   bool    `help:"Use the built-in offline model, whatever else is set."`
	Model  *string `placeholder:"NAME" help:"The model to use: one of the [[models]] in the settings, or as its endpoint knows it."`
	Theme  *string `placeholder:"NAME" help:"Colours: auto, ${themes}."`
	Lang   *string `placeholder:"LANG" help:"Language: auto, en or zh-CN."`
	ASCII  bool    `name:"ascii" help:"Draw with ASCII characters only."`
	Paused bool    `help:"Start with all agents paused."`

	Template *string          `placeholder:"NAME|FILE" help:"Plant a template below root, once in a society: ${templates}, one of your own from ${folder}, or a file."`
	Version  kong.VersionFlag `help:"Print the version."`

	Screen      screenCommand    `cmd:"" default:"1" help:"Open the screen; this is what happens without a command."`
	Check       checkCommand     `cmd:"" help:"Verify what is stored: exit code 0 if it is sound, 1 if not, with what is wrong."`
	Backup      backupCommand    `cmd:"" help:"Write a checked copy of what is stored to a new file."`
	Export      exportCommand    `cmd:"" help:"Write the society out: as JSON, which can be read in again, or as Markdown, to read."`
	Import      importCommand    `cmd:"" help:"Read in an export, a backup, or what is left of a damaged file, where no society has begun yet."`
	Compact     compactCommand   `cmd:"" help:"Give back the space of what was deleted."`
	Settings    settingsCommands `cmd:"" name:"config" help:"Print the settings in force and where each came from; 'config init' writes a commented file."`
	Models      modelsCommand    `cmd:"" help:"List the models that are set up, and ask each whether it answers: exit code 1 if the default does not."`
	Templates   templatesCommand `cmd:"" help:"List the templates that can be planted, or print one, to begin your own with."`
	DemoModel   demoModelCommand `cmd:"" name:"demo-model" help:"Serve the offline model to other programs, until a signal."`
	ShowVersion versionCommand   `cmd:"" name:"version" help:"Print the version."`
	Reset       resetCommand     `cmd:"" help:"Repair a terminal that was left in a bad mode."`
}

type (
	screenCommand  struct{}
	checkCommand   struct{}
	compactCommand struct{}
	backupCommand  struct {
		File string `arg:"" help:"The new file."`
	}
	exportCommand struct {
		Agent  string `placeholder:"ID" xor:"what" help:"Write this agent and all below it only."`
		Org    bool   `xor:"what" help:"Write the organisation only: roles, agents, terminations and contacts."`
		Format string `enum:"json,markdown" default:"json" help:"json or markdown (${default})."`
		Out    string `placeholder:"FILE" help:"Write to this new file instead of standard output."`
		From   string `placeholder:"FILE" help:"Read this backup instead of the society."`
	}
	importCommand struct {
		File string `arg:"" help:"What to read in."`
	}
	versionCommand   struct{}
	resetCommand     struct{}
	settingsCommands struct {
		Show showSettings  `cmd:"" default:"1" help:"Print the settings in force and where each came from."`
		Init writeSettings `cmd:"" help:"Write a settings file with every setting, its meaning and its default."`
	}
	modelsCommand struct {
		Check bool `default:"true" negatable:"" help:"Ask each whether it answers; --no-check asks none."`
	}
	templatesCommand struct {
		Name string `arg:"" optional:"" help:"The template to print."`
	}
	showSettings     struct{}
	writeSettings    struct{}
	demoModelCommand struct {
		Addr string `default:"127.0.0.1:8317" placeholder:"HOST:PORT" help:"Where to listen (${default})."`
	}
)

// A usageError is a mistake in how the program was called or set up: exit code 2.
type usageError struct {
	error
	hint string // what tells how it is done
}

func (e usageError) Unwrap() error { return e.error }

// The hints of usage errors.
const (
	seeHelp      = "society-tui --help names all commands and flags."
	seeSettings  = "Mend that, or name another settings file with --config."
	seeTemplates = "society-tui templates lists those there are, or prints one."
)

func main() { os.Exit(run(os.Args[1:])) }

// run carries out the command line and returns the exit code: 0, 1 for a
// failure, 2 for a mistake in the call.
func run(args []string) (code int) {
	p := &program{redactor: observe.NewRedactor()}
	defer func() {
		if r := recover(); r != nil {
			p.say(os.Stderr, "society-tui: a fault of the program: %v\n%s", r, debug.Stack())
			code = 1
		}
	}()
	parser := kong.Must(&p.line, kong.Name("society-tui"),
		kong.Description("Lead a society of AI agents from your terminal."),
		kong.Vars{
			"version": observe.Version(), "themes": strings.Join(themes.Names(), ", "),
			"templates": strings.Join(template.Names(), ", "), "folder": config.UserPlaces().Templates,
		},
		kong.ConfigureHelp(kong.HelpOptions{NoExpandSubcommands: true, FlagsLast: true}))
	command, err := parser.Parse(args)
	if err != nil {
		p.say(os.Stderr, "society-tui: %v\n%s\n", err, seeHelp)
		return 2
	}
	err = command.Run(p)
	usage, wrong := errors.AsType[usageError](err)
	switch {
	case err == nil:
		return 0
	case wrong:
		p.say(os.Stderr, "society-tui: %v\n%s\n", err, usage.hint)
		return 2
	default:
		p.say(os.Stderr, "society-tui: %v\n", err)
		return 1
	}
}

// A program is one run of it.
type program struct {
	line     commandLine
	redactor *observe.Redactor
}

// say writes to the person. It is the door at which keys, and bytes that a
// terminal would obey, are held back.
func (p *program) say(w io.Writer, format string, args ...any) {
	text := strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && !strconv.IsPrint(r) {
			return '\ufffd'
		}
		return r
	}, p.redactor.Redact(fmt.Sprintf(format, args...)))
	_, _ = io.WriteString(w, text) // there is nobody left to tell
}

// settings reads the settings, with the flags over them.
func (p *program) settings() (config.Settings, error) {
	var flags []config.Flag
	for _, f := range []struct {
		name, key string
		value     *string
	}{
		{"--data", "data", p.line.Data},
		{"--config", "file", p.line.File},
		{"--model", "model.name", p.line.Model},
		{"--theme", "theme", p.line.Theme},
		{"--lang", "lang", p.line.Lang},
		{"--demo", "model.offline", given(p.line.Demo)},
		{"--ascii", "ascii", given(p.line.ASCII)},
	} {
		if f.value != nil {
			flags = append(flags, config.Flag{Name: f.name, Key: f.key, Value: *f.value})
		}
	}
	s, err := config.Load(config.Sources{
		Places: config.UserPlaces(), Flags: flags, Getenv: os.Getenv, Themes: themes.Names(),
	})
	p.redactor = observe.NewRedactor(s.Keys()...)
	if err == nil {
		return s, nil
	}
	first, ok := errors.AsType[*config.Problem](err)
	if ok && strings.HasPrefix(first.From, "flag ") {
		return s, usageError{err, seeHelp}
	}
	return s, usageError{err, seeSettings}
}

// given is the value of a flag that has none of its own.
func given(flag bool) *string {
	if !flag {
		return nil
	}
	return new("true")
}

// kept carries out what is done with a stored society that nobody runs, and says
// what came of it.
func (p *program) kept(do func(s config.Settings, path string) (string, error)) error {
	s, err := p.settings()
	if err != nil {
		return err
	}
	told, err := do(s, storePath(s))
	if told != "" {
		p.say(os.Stdout, "%s\n", told)
	}
	return err
}

// Run verifies the store.
func (checkCommand) Run(p *program) error {
	return p.kept(func(_ config.Settings, path string) (string, error) { return upkeep.Check(path) })
}

// Run copies the store.
func (c backupCommand) Run(p *program) error {
	return p.kept(func(_ config.Settings, path string) (string, error) { return upkeep.Backup(path, c.File) })
}

// Run gives back the space of what was deleted.
func (compactCommand) Run(p *program) error {
	return p.kept(func(_ config.Settings, path string) (string, error) { return upkeep.Compact(path) })
}

// Run writes the society out.
func (c exportCommand) Run(p *program) error {
	return p.kept(func(_ config.Settings, path string) (string, error) {
		return upkeep.Export{
			From: c.From, Agent: society.AgentID(c.Agent), Org: c.Org, Format: c.Format, Out: c.Out, Redact: p.redactor.Redact,
		}.Write(path, os.Stdout)
	})
}

// Run reads a society in.
func (c importCommand) Run(p *program) error {
	return p.kept(func(s config.Settings, path string) (string, error) {
		return upkeep.Import(path, c.File, protocol.Lang(s.Language()))
	})
}

// Run prints the settings, a line each.
func (showSettings) Run(p *program) error {
	s, err := p.settings()
	if err != nil {
		return err
	}
	p.say(os.Stdout, "%s", s.Table())
	for _, warning := range s.Warnings {
		p.say(os.Stderr, "society-tui: %s\n", warning)
	}
	if _, err := s.Endpoints(); err != nil {
		return usageError{err, seeSettings}
	}
	return nil
}

// Run lists the models, and asks each whether it answers.
func (c modelsCommand) Run(p *program) error {
	s, err := p.settings()
	if err != nil {
		return err
	}
	models, notes, err := openModels(s)
	if err != nil {
		return usageError{err, seeSettings}
	}
	defer models.Close()
	all := models.All()
	answers := make([]string, len(all))
	var silent error
	if c.Check {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
		defer stop()
		answers, silent = askAll(ctx, all)
	}
	keys := map[string]string{}
	if list, err := s.Endpoints(); err == nil { // openModels has looked at the error
		for _, e := range list {
			keys[e.Name] = keyOf(e)
		}
	}
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\tNAME\tMODEL\tENDPOINT\tWINDOW\tKEY\tGOOD FOR\tANSWER")
	for i, e := range all {
		mark, window, where := "", "unknown", e.Endpoint
		if i == 0 {
			mark = "*"
		}
		if e.Window > 0 {
			window = strconv.Itoa(e.Window)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", mark, e.Name, e.Model.Name(), where, window,
			cmp.Or(keys[e.Name], "none needed"), cmp.Or(strings.Join(e.Capabilities, ", "), "-"), cmp.Or(answers[i], "not asked"))
	}
	_ = table.Flush() // a strings.Builder takes everything
	p.say(os.Stdout, "%s* is what agents think with whose role names none.\n", text.String())
	for _, note := range append(s.Warnings, notes...) {
		p.say(os.Stderr, "society-tui: %s\n", note)
	}
	if silent != nil {
		return fmt.Errorf("the default model %s does not answer: %w", all[0].Name, silent)
	}
	return nil
}

// keyOf says where the key of a model comes from, and whether it is there.
func keyOf(e config.Endpoint) string {
	switch {
	case e.KeyEnv == "" && e.Key.Reveal() != "":
		return "in the settings"
	case e.KeyEnv == "":
		return "none needed"
	case e.Key.Reveal() == "":
		return e.KeyEnv + " missing"
	}
	return e.KeyEnv + " present"
}

// probePatience is how long a model may take to answer one word.
const probePatience = 30 * time.Second

// askAll asks all models at once, and says of each what came of it; err is why the
// first did not answer.
func askAll(ctx context.Context, all []registry.Entry) (answers []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, probePatience)
	defer cancel()
	answers = make([]string, len(all))
	failed := make([]error, len(all))
	var asked sync.WaitGroup
	for i, e := range all {
		asked.Go(func() {
			defer func() {
				if p := recover(); p != nil { // run recovers only what panics on its own goroutine
					failed[i] = fmt.Errorf("a fault of the program: %v", p)
					answers[i] = "no: " + failed[i].Error()
				}
			}()
			took, err := registry.Probe(ctx, e.Model)
			answers[i], failed[i] = fmt.Sprintf("ok, %d ms", took.Milliseconds()), err
			if err != nil {
				answers[i] = fmt.Sprintf("no, after %d ms: %s", took.Milliseconds(), unanswered(err))
			}
		})
	}
	asked.Wait()
	return answers, failed[0]
}

// unanswered says in words why a model did not answer, and what may help.
func unanswered(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Sprintf("nothing came in %s", probePatience)
	}
	if errors.Is(err, context.Canceled) {
		return "it was not waited for"
	}
	e := llm.AsError(err)
	help := map[llm.Class]string{
		llm.Auth:    "its key is missing or wrong; see key_env",
		llm.Quota:   "nothing is left to spend",
		llm.Rate:    "too many requests; try again later",
		llm.NotChat: "base_url leads to no chat API; most end in /v1",
		llm.Invalid: "see base_url, which mostly ends in /v1, and model",
	}[e.Class]
	if help == "" {
		return e.Error()
	}
	return e.Error() + " (" + help + ")"
}

// Run lists the templates, or prints one.
func (c templatesCommand) Run(p *program) error {
	s, err := p.settings()
	if err != nil {
		return err
	}
	lang, on := protocol.Lang(s.Language()), shelf(s)
	if c.Name != "" {
		t, err := on.Find(c.Name, lang)
		if err != nil {
			return usageError{err, seeTemplates}
		}
		p.say(os.Stdout, "%s", t.Text)
		return nil
	}
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	var broken []error
	for _, e := range on.List(lang) {
		if e.Err != nil {
			broken = append(broken, e.Err)
			continue
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", e.Name, e.Description, cmp.Or(e.From, "built in"))
	}
	_ = table.Flush() // a strings.Builder takes everything
	p.say(os.Stdout, "%s\nYour own belong in %s, one file each: NAME.toml\n", text.String(), s.Templates)
	return errors.Join(broken...)
}

// shelf is where templates are looked for.
func shelf(s config.Settings) template.Shelf {
	return template.Shelf{Dir: s.Templates, Groups: org.Groups()}
}

// toPlant reads the template that the command line names, if it names one, in each
// language: which one is spoken in the society is known when that is open.
func (p *program) toPlant(s config.Settings) (func(protocol.Lang) society.Plant, string, error) {
	if p.line.Template == nil {
		return nil, "", nil
	}
	plants, name := map[protocol.Lang]society.Plant{}, ""
	for _, lang := range protocol.Langs() {
		t, err := shelf(s).Find(*p.line.Template, lang)
		if err != nil {
			return nil, "", usageError{fmt.Errorf("--template %s: %w", *p.line.Template, err), seeTemplates}
		}
		t.Plant.Once = true
		plants[lang], name = t.Plant, t.Name
	}
	return func(lang protocol.Lang) society.Plant { return plants[lang] }, name, nil
}

// Run writes a settings file where none is.
func (writeSettings) Run(p *program) error {
	// A file with mistakes in it is a file that is there, and no reason to read it.
	path := config.UserPlaces().File
	if p.line.File != nil {
		path = *p.line.File
	}
	err := config.Write(path)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already; it was left as it is", path)
	}
	if err == nil {
		p.say(os.Stdout, "wrote %s\n", path)
	}
	return err
}

// Run serves the offline model until a signal.
func (c demoModelCommand) Run(p *program) error {
	s, err := p.settings()
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	return demo.Serve(ctx, c.Addr, demo.Config{Pace: s.Model.OfflinePace.Duration}, func(addr net.Addr) {
		p.say(os.Stdout, "the offline model listens on http://%s/v1 (ctrl+c ends it)\n", addr)
	})
}

// Run prints the version.
func (versionCommand) Run(p *program) error {
	p.say(os.Stdout, "%s\n", observe.Version())
	return nil
}

// Run writes what brings a terminal back. The line discipline is stty's, where
// there is one.
func (resetCommand) Run(*program) error {
	if !term.IsTerminal(os.Stdout.Fd()) {
		return errors.New("standard output is no terminal: there is nothing to repair")
	}
	if stty, err := exec.LookPath("stty"); err == nil {
		// What is sane to stty is not how terminals come up: without iutf8 a
		// backspace takes half a character. Not every stty knows all of these, so
		// each is asked for alone.
		for _, mode := range []string{"sane", "iutf8", "-brkint", "-imaxbel"} {
			set := exec.Command(stty, mode)
			set.Stdin = os.Stdin
			_ = set.Run() // without it the rest is still worth repairing
		}
	}
	return tui.Reset(os.Stdout)
}

// storePath is the file of the society.
func storePath(s config.Settings) string { return filepath.Join(s.Data, "society.db") }

// Run opens the store and the screen, and runs the society until the person or
// a signal ends it.
func (screenCommand) Run(p *program) error {
	s, err := p.settings()
	if err != nil {
		return err
	}
	plant, planting, err := p.toPlant(s)
	if err != nil {
		return err
	}
	// A mistake in the call is one with or without a terminal.
	leaveTerminal, err := stage.Enter(os.Stdin, os.Stdout, os.Getenv("TERM"))
	if err != nil {
		return err
	}
	notices := s.Warnings
	models, notes, err := openModels(s)
	if err != nil {
		return usageError{err, seeSettings}
	}
	defer models.Close()
	notices = append(notices, notes...)
	log, where := observe.Discard(), "none"
	file, err := observe.Open(observe.Config{Dir: s.Logs, Level: s.Level(), Redactor: p.redactor})
	if err != nil {
		notices = append(notices, "Nothing is logged: "+err.Error())
	} else {
		defer file.Close()
		log, where = file.Logger, file.Path
	}
	slog.SetDefault(log) // nothing of a library may write over the screen
	log.Info("program starts", "version", observe.Version())

	cfg := runtimeConfig(s, models, log, p.line.Paused)
	cfg.Plant = plant
	store, running, moved, err := upkeep.Open(cfg, storePath(s))
	if err != nil {
		log.Error("not started", "err", err)
		return err
	}
	if moved != "" {
		moved = fmt.Sprintf("What was stored is damaged. It was moved to %s, and a new society begins. "+
			"What can still be read comes back with: society-tui import %[1]s (quit first, before you write anything).", moved)
		notices = append(notices, moved)
	}
	watcher := running.Watch()
	defer watcher.Close()
	offline, _ := s.Offline() // openModels has looked at the error
	show := show{
		program: p, log: log, logFile: where,
		society: running, store: store, ended: make(chan runtime.Summary, 1),
		terminal: tui.NewTerminal(os.Stdout), leaveTerminal: leaveTerminal,
		screen: tui.Config{
			Society: running, Watcher: watcher,
			Lang: protocol.Lang(s.Language()), Theme: s.ChosenTheme(),
			Plain: os.Getenv("NO_COLOR") != "", ASCII: s.ASCII, Still: s.ReducedMotion,
			Offline: offline, Examples: demo.Examples(s.Language()),
			Notice: strings.Join(notices, " "),
			Shelf:  shelf(s), Spoken: running.Lang(), Planted: planted(running, planting),
			Before: running.Before(),
			Models: running.Models(), Stranded: running.Stranded(), Graphs: running.Graphs(),
			Backup: func(ctx context.Context, file string) (string, error) { return upkeep.Copy(ctx, store, file) },
		},
	}
	err = show.run()
	if moved != "" {
		p.say(show.terminal, "society-tui: %s\n", moved)
	}
	return err
}

// planted is what came of the template that was to be planted, nil for none.
func planted(r *runtime.Runtime, name string) *tui.Planted {
	if name == "" {
		return nil
	}
	result, err := r.Planted()
	return &tui.Planted{Template: name, Result: result, Err: err}
}

// A show is the society on the screen, from the first frame to the summary.
type show struct {
	*program
	log      *slog.Logger
	logFile  string
	society  *runtime.Runtime
	store    storage.Store
	terminal *tui.Terminal
	screen   tui.Config
	ended    chan runtime.Summary // capacity 1

	leaveTerminal func() // gives the line discipline back
}

// run returns when the screen is closed, the society has left in order and its
// store is closed, or when that was given up.
func (s *show) run() error {
	s.screen.Input, s.screen.Output = os.Stdin, s.terminal
	released, err := stage.CatchStandardError()
	if err != nil {
		return err
	}
	signals, stop := stage.Listen()
	defer stop()
	err = stage.Stage{
		Screen:  s.draw,
		Society: s.live,
		Force:   s.society.Force,
		Restore: func() {
			_ = tui.Reset(s.terminal) // a terminal that cannot be written to cannot be repaired
			s.leaveTerminal()
		},
		HangUp: s.terminal.Hush,
		Gone:   s.terminal.Gone(),
		Waiting: func() {
			s.say(s.terminal, "society-tui: finishing what is in flight, at most 30 s; ctrl+c leaves at once\n")
		},
	}.Play(signals)
	s.report(err, released())
	select {
	case sum := <-s.ended:
		s.log.Info("left", "processed", sum.Processed, "pending", sum.Pending, "owed", sum.Owed, "err", err)
		s.say(s.terminal, "society-tui: %d messages processed, %d pending. Log: %s\n", sum.Processed, sum.Pending, s.logFile)
	default: // it was left behind
	}
	return err
}

// draw is the screen. The person leaves through leave, which ends the society;
// pausing its agents must come before.
func (s *show) draw(ctx context.Context, leave func(context.Context) error) error {
	s.screen.Leave = func(ctx context.Context, pause bool) error {
		if pause {
			if _, err := s.society.Do(ctx, society.PauseAll{}); err != nil {
				s.log.Error("agents not paused", "err", err)
			}
		}
		return leave(ctx)
	}
	result, err := tui.Run(ctx, s.screen)
	if result.Force {
		s.society.Force()
		err = errors.Join(err, stage.ErrForced)
	}
	return err
}

// live is the society, from its first step until its store is closed.
func (s *show) live(ctx context.Context) error {
	err := s.society.Run(ctx)
	if errors.Is(err, runtime.ErrStuck) {
		return err // the store would not close either
	}
	s.ended <- s.society.Summary()
	return errors.Join(err, s.store.Close())
}

// report writes what only a maker of the program understands: into the log, or to
// the person who asked for it with SIGQUIT.
func (s *show) report(err error, caught string) {
	fault, panicked := errors.AsType[*stage.Panic](err)
	if panicked {
		s.log.Error("panic", "in", fault.In, "value", fmt.Sprint(fault.Value), "stack", fault.Stack)
	}
	if caught != "" { // a panic of the screen is told there
		s.log.Error("written to standard error", "stack", caught)
	}
	if panicked || caught != "" {
		s.say(s.terminal, "society-tui: a fault of the program; what was confirmed is saved, the log has the details\n")
	}
	if dump, ok := errors.AsType[*stage.Dump](err); ok {
		s.say(os.Stderr, "%s\n", dump.Stacks)
	}
}

// openModels makes the models that the settings ask for, the default first and the
// built-in one last; that one alone, whatever roles say, if it was asked for. The
// notes say what of the settings was mended.
func openModels(s config.Settings) (models *registry.Registry, notes []string, err error) {
	list, err := s.Endpoints()
	if err != nil {
		return nil, nil, err
	}
	offline := registry.Entry{Name: demo.Name, Endpoint: "built in", Unoffered: len(list) > 0}
	pace := demo.Config{Pace: s.Model.OfflinePace.Duration}
	if len(list) == 0 {
		pace.Window, offline.Window = s.Model.ContextWindow, s.Model.ContextWindow
	}
	if offline.Model, err = demo.New(pace); err != nil {
		return nil, nil, err
	}
	if s.Model.Offline {
		models, err = registry.Only(offline)
		return models, nil, err
	}
	var entries []registry.Entry
	for _, e := range list {
		entry, note, err := openModel(s, e)
		if err != nil {
			return nil, nil, fmt.Errorf("the model %s: %w", e.Name, err)
		}
		if note != "" {
			notes = append(notes, note)
		}
		entries = append(entries, entry)
	}
	models, err = registry.New(append(entries, offline)...)
	return models, notes, err
}

// openModel makes one model. The note says what of its address was mended.
func openModel(s config.Settings, e config.Endpoint) (entry registry.Entry, note string, err error) {
	address, note, err := chatapi.FixBaseURL(cmp.Or(e.BaseURL, "https://api.openai.com/v1"))
	if err != nil {
		return entry, "", fmt.Errorf("base_url: %w", err)
	}
	idle := s.Model.IdleTimeout.Duration
	if idle == 0 {
		idle = -1 // no bound, as chatapi has it
	}
	model, err := chatapi.New(chatapi.Config{
		BaseURL: address, Key: chatapi.Key(e.Key.Reveal()), Model: e.Model,
		IdleTimeout: idle, MaxTokens: e.MaxTokens,
	})
	return registry.Entry{
		Name: e.Name, Model: model, Endpoint: address, Window: e.ContextWindow,
		Calls: e.Calls, Capabilities: e.Capabilities,
	}, note, err
}

// runtimeConfig is what the settings say to the runtime, but for the store.
func runtimeConfig(s config.Settings, models *registry.Registry, log *slog.Logger, paused bool) runtime.Config {
	limits := society.DefaultLimits()
	l := s.Limits
	limits.Agents, limits.Depth, limits.Children = l.Agents, l.Depth, l.Children
	limits.SpawnsPerMinute, limits.ToolRounds = l.SpawnsPerMinute, l.ToolRounds
	limits.RepeatsWarned, limits.RepeatsEnded = l.RepeatsWarned, l.RepeatsEnded
	limits.TaskMessages, limits.Queue = l.TaskMessages, l.Queue
	limits.ContextMessages, limits.KeepRecent = l.MaxContextMessages, l.KeepRecent
	limits.DrainTime, limits.DrainMessages = l.DrainTime.Duration, l.DrainMessages
	return runtime.Config{
		Models: models, Graphs: graphs(s), Lang: protocol.Lang(s.Language()), Limits: limits,
		ModelCalls: l.ModelCalls, IdleWarning: l.IdleWarning.Duration, Log: log, Paused: paused, Addition: s.Prompts.Addition,
	}
}

// graphs are those that roles can name: what is built in, and the settings' own,
// which stand before those of the same name.
func graphs(s config.Settings) func(protocol.Lang) []graph.Definition {
	return func(lang protocol.Lang) []graph.Definition {
		builtIn := slices.DeleteFunc(template.Graphs(lang), func(d graph.Definition) bool {
			return slices.ContainsFunc(s.Graphs, func(own graph.Definition) bool { return own.Name == d.Name })
		})
		return append(builtIn, s.Graphs...)
	}
}
