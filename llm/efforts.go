package llm

// Efforts are how much a model can be told to think, the least first. Not every model knows
// each of them.
func Efforts() []string {
	return []string{"none", "minimal", "low", "medium", "high", "xhigh", "max"}
}

// An Adapter is a Model that learns from what its endpoint refuses.
type Adapter interface {
	// Adapted returns how requests differ from what was asked for, because the endpoint has
	// refused that: an Adaptation and, for some, a : and what it is about.
	Adapted() []string
	// ForgetAdapted forgets that, so that requests are again what was asked for.
	ForgetAdapted()
}

// What Adapted names.
const (
	AdaptedLimit         = "max_completion_tokens" // the field for the limit of an answer
	AdaptedNoLimit       = "no_max_tokens"
	AdaptedNoUsage       = "no_stream_options"
	AdaptedNoExtras      = "no_extras"      // what other models would get back of their answers
	AdaptedShortIDs      = "short_ids"      // of calls
	AdaptedThoughts      = "thoughts"       // are sent back
	AdaptedNoThoughts    = "no_thoughts"    // are sent back
	AdaptedNoTemperature = "no_temperature" //
	AdaptedNoTopP        = "no_top_p"
	AdaptedNoEffort      = "no_effort"
	AdaptedMustThink     = "must_think" // so an effort of none is not sent
	AdaptedEfforts       = "efforts"    // : those that it takes
	AdaptedToolsNoEffort = "tools_no_effort"
	AdaptedNoCache       = "no_cache"
	AdaptedNoSystem      = "no_system"   // the system prompt is in the first message
	AdaptedNoImages      = "no_images"   // they are left out
	AdaptedSomeImages    = "some_images" // are left out
	AdaptedNoTool        = "no_tool"     // : one that is not offered
)

// MostTools is how many tools a request may offer: what the strictest endpoint takes.
const MostTools = 128
