package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"society-tui/llm"
	"society-tui/llm/discover"
	"society-tui/llm/registry"
	"society-tui/runtime/api"
	"society-tui/runtime/config"
	"society-tui/runtime/modelerror"
	"society-tui/tui/symbols"
)

type modelsCommand struct {
	Check bool `default:"true" negatable:"" help:"Test whether each answers; --no-check only lists them." zh:"测试各自能否应答；--no-check 只列出。"`
}

// Run lists the models, and tests whether each answers.
func (m modelsCommand) Run(c *console) error {
	s, err := c.settings()
	if err != nil {
		return err
	}
	without := s.WithoutModel() // the screen starts with the offline model then
	models, warnings, err := c.openModels(s, without != nil)
	if err != nil {
		return err
	}
	defer models.Close()
	discover.Recall(models, catalogOf(s))
	idle, others, err := c.idleModels(s)
	if err != nil {
		return err
	}
	defer others()
	all := models.All()
	answers, failed := make([]string, len(all)), make([]error, len(all))
	if m.Check {
		ctx, stop := untilSignal()
		defer stop()
		discover.Learn(ctx, models, catalogOf(s), true)
		all = models.All()
		answers, failed = c.askAll(ctx, all)
	}
	rows := append(slices.Clip(all), idle...)
	for range idle {
		answers = append(answers, c.text(textNotInUse))
	}
	s.Model.Offline = s.Model.Offline && len(idle) == 0 // so that their keys are found
	c.say(c.out, "%s"+c.text(textDefault)+"\n", c.modelTable(s, rows, answers))
	for i, err := range failed { // a reason would make the table too wide
		if err != nil && i > 0 { // that of the default is said at the end
			c.say(c.out, "%s\n", c.text(textOfAnswer, all[i].Name, c.unanswered(err)))
		}
	}
	for _, warning := range warnings {
		c.say(c.err, "society-tui: %s\n", warning)
	}
	if failed[0] != nil {
		return textSilentIs.With(all[0].Name, c.unanswered(failed[0]))
	}
	if without != nil {
		return textNoneChosen
	}
	return nil
}

// idleModels returns the models of the settings that wait while the offline one answers. They
// are not asked: who chose to be offline does not expect that. Done closes them.
func (c *console) idleModels(s config.Settings) (idle []registry.Entry, done func(), err error) {
	if s.Model.Offline = !s.Model.Offline; s.Model.Offline || len(s.Models) == 0 {
		return nil, func() {}, nil
	}
	models, _, err := c.openModels(s, true)
	if err != nil {
		return nil, nil, err
	}
	discover.Recall(models, catalogOf(s))
	idle = slices.DeleteFunc(models.All(), func(e registry.Entry) bool { return e.Endpoint == builtIn })
	return idle, func() { models.Close() }, nil
}

// untilSignal returns a context that ends with a signal.
func untilSignal() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
}

// untilFirstSignal is untilSignal for work with files to remove; the second
// signal ends the program at once.
func untilFirstSignal() (context.Context, context.CancelFunc) {
	ctx, stop := untilSignal()
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// modelTable formats the models as a table.
func (c *console) modelTable(s config.Settings, all []registry.Entry, answers []string) string {
	keys := map[string]string{}
	if list, err := s.Endpoints(); err == nil { // openModels has checked the error
		for _, e := range list {
			keys[e.Name] = c.keyOf(e)
		}
	}
	head := []string{""}
	for _, column := range textColumns {
		head = append(head, c.text(column))
	}
	rows := [][]string{head}
	for i, e := range all {
		mark, window, endpoint := "", c.text(textUnknown), e.Endpoint
		if endpoint == builtIn {
			endpoint = c.text(textBuiltIn)
		}
		if i == 0 {
			mark = "*"
		}
		if e.Window > 0 {
			window = strconv.Itoa(e.Window) + c.text(symbols.TextAside, symbols.From(c.printer, knownOf(e.Facts.Window), time.Now()))
		}
		price := "–"
		if p := e.Facts.Price; p.IsKnown() {
			value, from := api.Price(p.Value), knownOf(p)
			price = symbols.Price(c.printer, &value, from, s.Currency) + c.text(symbols.TextAside, symbols.From(c.printer, from, time.Now()))
		}
		rows = append(rows, []string{
			mark, e.Name, e.Model.Name(), endpoint, window, price, cmp.Or(keys[e.Name], c.text(textNoKey)),
			cmp.Or(c.printer.List(e.Capabilities), "-"), cmp.Or(answers[i], c.text(textNotAsked)),
		})
	}
	return columns(rows)
}

func knownOf[T any](f llm.Fact[T]) api.Known {
	return api.Known{Source: api.KnownFrom(f.Source), At: f.At, Old: f.IsOld(time.Now())}
}

// keyOf describes where the key of a model comes from, and whether it is set.
func (c *console) keyOf(e config.Endpoint) string {
	switch {
	case !e.Source.IsZero():
		return e.Source.InWords(c.printer)
	case e.KeyEnv == "" && e.Key.Reveal() != "":
		return c.text(textKeyInFile)
	case e.KeyEnv == "": // only the endpoint knows whether it needs one
		return c.text(textUnsetKey)
	case e.Key.Reveal() == "":
		return c.text(textKeyGone, e.KeyEnv)
	}
	return c.text(textKeyThere, e.KeyEnv)
}

// probePatience is how long a model may take to answer.
const probePatience = 30 * time.Second

// askAll tests all models at once and returns a result for each, and why it
// failed.
func (c *console) askAll(ctx context.Context, all []registry.Entry) (answers []string, failed []error) {
	ctx, cancel := context.WithTimeout(ctx, probePatience)
	defer cancel()
	answers = make([]string, len(all))
	failed = make([]error, len(all))
	var asked sync.WaitGroup
	for i, e := range all {
		asked.Go(func() {
			defer func() {
				if p := recover(); p != nil { // Run only recovers panics of its own goroutine
					failed[i] = errors.New(c.text(textFault, fmt.Sprint(p)))
					answers[i] = c.text(textSilent, 0)
				}
			}()
			took, err := registry.Probe(ctx, e.Model)
			answers[i], failed[i] = c.text(textAnswers, took.Milliseconds()), err
			if err != nil {
				answers[i] = c.text(textSilent, took.Milliseconds())
			}
		})
	}
	asked.Wait()
	return answers, failed
}

// fromEnvironment names variables instead of settings where the model comes from them.
func (c *console) fromEnvironment(said string) string {
	var replaced []string
	for _, e := range c.found.Effective() {
		switch e.Key {
		case "model.base_url":
			if e.From.Variable != "" {
				replaced = append(replaced, "base_url", e.From.Variable)
			}
		case "model.key":
			if e.From.Variable != "" {
				replaced = append(replaced, "key_env", e.From.Variable)
			}
		}
	}
	if len(c.found.Models) > 0 { // each names its own
		return said
	}
	return strings.NewReplacer(replaced...).Replace(said)
}

// unanswered explains why a model did not answer, with advice.
func (c *console) unanswered(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return c.text(textNothing, probePatience)
	}
	if errors.Is(err, context.Canceled) {
		return c.text(textUnwaited)
	}
	e := llm.AsError(err)
	remedy, _ := symbols.RemedyFor(string(e.Class), e.Code)
	help := c.fromEnvironment(c.text(remedy.Settings))
	said := c.fromEnvironment(modelerror.Text(e).In(c.printer.Lang))
	if e.Status != 0 {
		said += fmt.Sprintf(" (%d)", e.Status)
	}
	if help == "" {
		return said
	}
	return c.text(textAdvice, said, help)
}
