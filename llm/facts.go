package llm

import "time"

// A Source is where a [Fact] comes from.
type Source string

// The sources, the first that says something decides. A smaller window from an error beats all
// of them.
const (
	FromSetting   Source = "setting"
	FromEndpoint  Source = "endpoint" // it says so of itself
	FromCatalogue Source = "catalogue"
	FromError     Source = "error" // an endpoint named it when it refused a request
)

// A Fact is something known of a model. The zero value is something unknown.
type Fact[T any] struct {
	Value  T
	Source Source
	At     time.Time // when it was found out; zero for settings
}

// IsKnown reports whether there is a value.
func (f Fact[T]) IsKnown() bool { return f.Source != "" }

// Or returns f, or other if f is unknown.
func (f Fact[T]) Or(other Fact[T]) Fact[T] {
	if f.IsKnown() {
		return f
	}
	return other
}

// oldAfter is how long a price can be trusted.
const oldAfter = 90 * 24 * time.Hour

// IsOld reports whether the fact is so old that a price may have changed since.
func (f Fact[T]) IsOld(now time.Time) bool {
	return f.IsKnown() && f.Source != FromSetting && now.Sub(f.At) > oldAfter
}

// A Price is what a million tokens of a model cost, in a currency that is the same for all
// models.
type Price struct {
	Input, Output float64
	// CacheRead and CacheWrite replace Input for tokens read from the endpoint's cache and
	// written to it; nil if they are not known.
	CacheRead, CacheWrite *float64
	// Included is set if the tokens are paid for in another way, such as a subscription.
	Included bool
}

// Facts are what is known of a model.
type Facts struct {
	Window    Fact[int] // tokens that fit into its context
	Price     Fact[Price]
	Images    Fact[bool]     // whether it takes images
	Tools     Fact[bool]     // whether it calls tools
	Reasoning Fact[bool]     // whether it can think before it answers
	Efforts   Fact[[]string] // the efforts of reasoning that it has; a hint
}

// Or returns f, with what it does not know taken from other.
func (f Facts) Or(other Facts) Facts {
	return Facts{
		Window: f.Window.Or(other.Window), Price: f.Price.Or(other.Price), Images: f.Images.Or(other.Images),
		Tools: f.Tools.Or(other.Tools), Reasoning: f.Reasoning.Or(other.Reasoning), Efforts: f.Efforts.Or(other.Efforts),
	}
}

// Findings are what each source says of a model.
type Findings map[Source]Facts

// Facts returns what holds.
func (f Findings) Facts() Facts {
	known := f[FromSetting].Or(f[FromEndpoint]).Or(f[FromCatalogue])
	if w := f[FromError].Window; w.IsKnown() && (!known.Window.IsKnown() || w.Value < known.Window.Value) {
		known.Window = w
	}
	return known
}

// Of returns what an answer cost. What the endpoint says itself is not looked at. Tokens of a
// cache without a price of their own cost what others do.
func (p Price) Of(u Usage) float64 {
	if p.Included {
		return 0
	}
	cost := float64(u.InputTokens)*p.Input + float64(u.OutputTokens)*p.Output
	if p.CacheRead != nil {
		cost += float64(u.CachedTokens) * (*p.CacheRead - p.Input)
	}
	if p.CacheWrite != nil {
		cost += float64(u.CacheWriteTokens) * (*p.CacheWrite - p.Input)
	}
	return max(cost/1e6, 0)
}
