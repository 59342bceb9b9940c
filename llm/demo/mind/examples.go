package mind

// Examples returns three requests that show what the model can do. Each holds
// its own text, and makes at least two agents that write to each other.
func Examples(lang Language) []string {
	return []string{lang.say("example_1"), lang.say("example_2"), lang.say("example_3")}
}

// exampleTitles are short names of the examples.
func exampleTitles(lang Language) []string {
	return []string{lang.say("example_title_1"), lang.say("example_title_2"), lang.say("example_title_3")}
}
