package console

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"text/tabwriter"
	"time"

	"society-tui/llm"
	"society-tui/llm/registry"
	"society-tui/runtime/config"
	"society-tui/runtime/setup"
)

type modelsCommand struct {
	Check bool `default:"true" negatable:"" help:"Ask each whether it answers; --no-check asks none."`
}

// Run lists the models, and asks each whether it answers.
func (m modelsCommand) Run(c *Console) error {
	s, err := c.Settings()
	if err != nil {
		return err
	}
	models, notes, err := Models(s)
	if err != nil {
		return err
	}
	defer models.Close()
	all := models.All()
	answers := make([]string, len(all))
	var silent error
	if m.Check {
		ctx, stop := untilSignal()
		defer stop()
		answers, silent = askAll(ctx, all)
	}
	c.Say(c.Out, "%s* is what agents think with whose role names none.\n", modelTable(s, all, answers))
	for _, note := range append(s.Warnings, notes...) {
		c.Say(c.Err, "society-tui: %s\n", note)
	}
	if silent != nil {
		return fmt.Errorf("the default model %s does not answer: %w", all[0].Name, silent)
	}
	return nil
}

// Models are those that the settings ask for, as setup.Models makes them. An error is
// a UsageError.
func Models(s config.Settings) (*registry.Registry, []string, error) {
	models, notes, err := setup.Models(s)
	if err != nil {
		return nil, nil, UsageError{err, seeSettings}
	}
	return models, notes, nil
}

// untilSignal is done when somebody wants the program to end.
func untilSignal() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
}

// modelTable is the models in columns, a line each.
func modelTable(s config.Settings, all []registry.Entry, answers []string) string {
	keys := map[string]string{}
	if list, err := s.Endpoints(); err == nil { // Models has looked at the error
		for _, e := range list {
			keys[e.Name] = keyOf(e)
		}
	}
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\tNAME\tMODEL\tENDPOINT\tWINDOW\tKEY\tGOOD FOR\tANSWER")
	for i, e := range all {
		mark, window := "", "unknown"
		if i == 0 {
			mark = "*"
		}
		if e.Window > 0 {
			window = strconv.Itoa(e.Window)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", mark, e.Name, e.Model.Name(), e.Endpoint, window,
			cmp.Or(keys[e.Name], "none needed"), cmp.Or(strings.Join(e.Capabilities, ", "), "-"), cmp.Or(answers[i], "not asked"))
	}
	_ = table.Flush() // a strings.Builder takes everything
	return text.String()
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
				if p := recover(); p != nil { // main recovers only what panics on its own goroutine
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
