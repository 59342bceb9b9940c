package api

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
)

// A ModelSetup sets models up while the society runs. It is part of the program that runs the
// society: what it asks, reads and writes is on that machine. Its methods may be called from
// any goroutine, and their errors are in both languages.
type ModelSetup interface {
	// Providers returns where models can be had: servers that answer on this machine, and
	// known services. Those whose key is in a variable come first.
	Providers(ctx context.Context) []ModelProvider
	// NoKeyring returns why entered keys cannot be kept in a keyring, nil if they can.
	NoKeyring(ctx context.Context) error
	// Address mends an address as it was typed.
	Address(raw string) (ModelAddress, error)
	// List asks the endpoint of a draft for its models. With an error it returns those that are
	// known of the service without it.
	List(ctx context.Context, d ModelDraft) (ModelList, error)
	// Try has the model of a draft answer, and call a tool.
	Try(ctx context.Context, d ModelDraft) ModelTrial
	// Save keeps a draft in the settings, and has the society use it. asDefault makes it the
	// default; else that stays as it is, also if it is the built-in one.
	Save(ctx context.Context, d ModelDraft, asDefault bool) (ModelSaved, error)
	// Draft returns a model of the settings, to be changed, without its key; false if it is not
	// one of the [[models]]. It and Disabled return at once: a remote client answers from what
	// it was last told.
	Draft(name string) (ModelDraft, bool)
	// Disabled returns the models of the settings that are not used: those with mistakes, and
	// those that wait while the built-in one is the default.
	Disabled() []DisabledModel
	// MakeDefault makes a model the default, Remove takes it out of the settings with the key
	// that was entered for it alone, unless other settings may use that.
	MakeDefault(ctx context.Context, name string) (ModelSaved, error)
	Remove(ctx context.Context, name string) (ModelSaved, error)
	// Forget has a model forget what its endpoint has refused or demanded, or all models if the
	// name is "".
	Forget(ctx context.Context, name string) error
}

// IsOffline reports whether none of the models is asked over a network: there is only the
// built-in one.
func IsOffline(models []Model) bool {
	return !slices.ContainsFunc(models, func(m Model) bool { return m.Host != "" })
}

// A ModelProvider is where models can be had.
type ModelProvider struct {
	Name, Address string
	KeyEnv        string // the variable in which its key usually is
	KeySet        bool   // that is set
	Local         bool   // it answers on this machine
	Models        int    // that are known, 0 if that is not known
}

// A ModelAddress is an address that can be asked.
type ModelAddress struct {
	URL string
	// Query was behind it, and holds no key.
	Query map[string]string
	// Mended tells what is not as it was typed, a sentence each, as an error in both
	// languages.
	Mended []error
	// Plain is set if what is sent can be read on the way, Public if it leaves the own
	// network so.
	Plain, Public bool
}

// A KeyPlace is where the key of a model is.
type KeyPlace string

// The places of keys.
const (
	NoKey        KeyPlace = ""
	KeyInKeyring KeyPlace = "keyring"
	KeyInFile    KeyPlace = "file"
	KeyInEnv     KeyPlace = "env"
	KeyByCommand KeyPlace = "command"
	// KeyStays keeps the key that the model has.
	KeyStays KeyPlace = "stays"
	// KeyOfOther takes the key of another model at the same host, whose name is entered.
	KeyOfOther KeyPlace = "other"
)

// Entered is what a user has entered that may be a key. However it is printed, encoded or
// logged, "[redacted]" comes out, or nothing if it is empty; only a conversion to string shows
// it, and package attachapi sends it.
type Entered string

// String hides the text.
func (e Entered) String() string {
	if e == "" {
		return ""
	}
	return "[redacted]"
}

// GoString hides the text from %#v.
func (e Entered) GoString() string { return e.String() }

// Format hides the text from every verb.
func (e Entered) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, e.String()) }

// MarshalText hides the text from encoders.
func (e Entered) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText reads the text.
func (e *Entered) UnmarshalText(text []byte) error {
	*e = Entered(text)
	return nil
}

// LogValue hides the text from logs.
func (e Entered) LogValue() slog.Value { return slog.StringValue(e.String()) }

// A ModelDraft is a model that is being set up. It holds a key, and is never shown or stored
// as a whole.
type ModelDraft struct {
	Before string // the name of the model that it changes, "" for a new one
	Name   string // for users and roles
	Model  string // for the endpoint
	URL    string
	// Query is sent behind the URL; if it is empty, that of the model it changes.
	Query map[string]string
	Key   KeyPlace
	// Kept is where the key is that stays, and KeptIn the variable, the file or the program there.
	Kept   KeyPlace
	KeptIn string
	// Entered is the key itself, or the variable, or the command with its arguments.
	Entered Entered
	Window  int
	// PlainHTTP allows that what is sent can be read on the way.
	PlainHTTP bool
}

// A ModelList is what an endpoint said of its models.
type ModelList struct {
	Listed bool // it has a list
	// Class is what kind of failure it is if there is none, as in ModelTrial.
	Class  string
	Server string
	Models []ListedModel
}

// A ListedModel is one that an endpoint has, with what is known of it.
type ListedModel struct {
	ID            string
	Window        int      // 0 if it is not known
	Input, Output *float64 // the price of a million tokens, nil if it is not known
	Old           bool     // the price may have changed
	NoTools       bool     // it is known to call no tools
	Thinks        bool     // it is known to think before it answers
}

// A Finding is how one part of a trial went.
type Finding uint8

// The findings.
const (
	NotFound Finding = iota // nothing is known
	Works
	Fails
)

// A ModelTrial is how a model answered.
type ModelTrial struct {
	Reached, Key, Stream, Tools, Usage Finding
	Milliseconds                       int64
	Window                             int // 0 if it is not known
	// Err is why it did not answer, and Class what kind of failure that is, as in package llm.
	Err   error
	Class string
	// Near are models with a name like that of the model, if the endpoint has none of that
	// name.
	Near []string
}

// A ModelSaved is the outcome of a change.
type ModelSaved struct {
	File string
	// Unwritten tells why the settings file was left as it is; Lines are to be put into it. The
	// change holds for this run.
	Unwritten error
	Lines     string
	// KeyInFile tells why the key is in a file instead of the keyring.
	KeyInFile error
	// KeyLeft tells which key that no model has any more was not removed, and why.
	KeyLeft error
	// Overridden is what decides about the default at the next start instead: a variable or a
	// flag.
	Overridden string
}

// A DisabledModel is one that is not used, and why.
type DisabledModel struct {
	Name string
	Why  error
	// Waits is set for one without a mistake, which is used once it is made the default.
	Waits bool
}
