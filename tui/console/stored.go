package console

import (
	"society-tui/runtime/config"
	"society-tui/runtime/protocol"
	"society-tui/runtime/setup"
	"society-tui/runtime/society"
	"society-tui/runtime/upkeep"
)

type (
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
)

// stored carries out what is done with a stored society that nobody runs, and says
// what came of it.
func (c *Console) stored(do func(s config.Settings, path string) (string, error)) error {
	s, err := c.Settings()
	if err != nil {
		return err
	}
	told, err := do(s, setup.Store(s))
	if told != "" {
		c.Say(c.Out, "%s\n", told)
	}
	return err
}

// Run verifies the store.
func (checkCommand) Run(c *Console) error {
	return c.stored(func(_ config.Settings, path string) (string, error) { return upkeep.Check(path) })
}

// Run copies the store.
func (b backupCommand) Run(c *Console) error {
	return c.stored(func(_ config.Settings, path string) (string, error) { return upkeep.Backup(path, b.File) })
}

// Run gives back the space of what was deleted.
func (compactCommand) Run(c *Console) error {
	return c.stored(func(_ config.Settings, path string) (string, error) { return upkeep.Compact(path) })
}

// Run writes the society out.
func (e exportCommand) Run(c *Console) error {
	return c.stored(func(_ config.Settings, path string) (string, error) {
		return upkeep.Export{
			From: e.From, Agent: society.AgentID(e.Agent), Org: e.Org, Format: e.Format, Out: e.Out, Redact: c.Redactor().Redact,
		}.Write(path, c.Out)
	})
}

// Run reads a society in.
func (i importCommand) Run(c *Console) error {
	return c.stored(func(s config.Settings, path string) (string, error) {
		return upkeep.Import(path, i.File, protocol.Lang(s.Language()))
	})
}
