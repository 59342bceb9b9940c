package society

import (
	"slices"
	"time"
)

// A WindowKey names a model of an endpoint, as the endpoint knows it.
type WindowKey struct {
	Endpoint string `json:"endpoint,omitempty"`
	Model    string `json:"model"`
}

// A LearntWindow is the size of a model's context that its endpoint named when it refused a
// request; part of a stored record.
type LearntWindow struct {
	WindowKey
	Tokens int       `json:"tokens"`
	At     time.Time `json:"at"`
}

// Windows of other sizes are misread numbers.
const leastWindow, mostWindow = 1_024, 20_000_000

// WindowsChanged is an event after which windows that were learnt differ.
type WindowsChanged interface {
	Event
	windowsChanged()
}

// ForgetWindow forgets the window that was learnt of a model, if there is one: its server may have been started
// with a larger one.
type ForgetWindow struct {
	Model string    // its name in the settings; "" for all models
	Of    WindowKey // the runtime sets it
}

// WindowLearnt remembers the window that an endpoint named.
type WindowLearnt struct{ Window LearntWindow }

func (e WindowLearnt) apply(s *State) {
	c := s.count()
	c.Windows = append(withoutWindow(c.Windows, e.Window.WindowKey), e.Window)
}

func (WindowLearnt) windowsChanged() {}

// Logged implements Logs.
func (e WindowLearnt) Logged(*State) []LogLine {
	return logged("window learnt from an error", "model", e.Window.Model, "tokens", e.Window.Tokens)
}

// WindowForgotten forgets it.
type WindowForgotten struct {
	Of  WindowKey
	All bool // those of every model
}

func (e WindowForgotten) apply(s *State) {
	c := s.count()
	if c.Windows = withoutWindow(c.Windows, e.Of); e.All {
		c.Windows = nil
	}
}

func (WindowForgotten) windowsChanged() {}

func withoutWindow(list []LearntWindow, key WindowKey) []LearntWindow {
	return slices.DeleteFunc(slices.Clone(list), func(w LearntWindow) bool { return w.WindowKey == key })
}

// Windows returns those that were learnt. The caller must not change them.
func (s *State) Windows() []LearntWindow { return s.counters.Windows }

// learnWindow keeps a window that an endpoint named: the smallest one, because behind one
// address there may be several servers.
func (d *decision) learnWindow(w LearntWindow) {
	known := func(k LearntWindow) bool { return k.WindowKey == w.WindowKey && k.Tokens <= w.Tokens }
	if w.Tokens < leastWindow || w.Tokens > mostWindow || slices.ContainsFunc(d.s.counters.Windows, known) {
		return
	}
	w.At = d.at
	d.add(WindowLearnt{w})
}

func (d *decision) forgetWindow(c ForgetWindow) {
	if c.Model == "" {
		if len(d.s.counters.Windows) > 0 {
			d.add(WindowForgotten{All: true})
		}
		return
	}
	if slices.ContainsFunc(d.s.counters.Windows, func(w LearntWindow) bool { return w.WindowKey == c.Of }) {
		d.add(WindowForgotten{Of: c.Of})
	}
}
