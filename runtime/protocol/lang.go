package protocol

// Lang is the language that the runtime speaks with agents and the user.
type Lang string

// The languages.
const (
	English Lang = "en"
	Chinese Lang = "zh-CN"
)

// Langs are all languages there are, the default first.
func Langs() []Lang { return []Lang{English, Chinese} }
