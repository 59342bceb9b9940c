package protocol

// Lang is the language that the runtime speaks with agents and the user.
type Lang string

// The languages.
const (
	English Lang = "en"
	Chinese Lang = "zh-CN"
)

// Langs returns all languages, the default first.
func Langs() []Lang { return []Lang{English, Chinese} }
