package chatapi

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// An origin is what an answer came from: the endpoint and model, and the tools that it was
// offered.
type origin struct {
	id    string // of endpoint and model; "" for none
	tools toolNames
}

// originField is the field of an Extra that names its origin. It is not sent.
const originField = "society_origin"

// originOf identifies an endpoint and model.
func originOf(base, model string) string {
	sum := sha256.Sum256([]byte(base + "\n" + model))
	return hex.EncodeToString(sum[:6])
}

// mark returns an extra with its origin, nil for none.
func (o origin) mark(extra json.RawMessage) json.RawMessage {
	if len(extra) < 3 || o.id == "" {
		return extra
	}
	marked := append(json.RawMessage{}, extra[:len(extra)-1]...) // without its brace
	return append(marked, `,"`+originField+`":"`+o.id+`"}`...)
}

// isAlien reports whether an extra came from another endpoint or model, which alone
// understands it. One without an origin was kept before they were.
func (o origin) isAlien(extra json.RawMessage) bool {
	from := value(extra).member(originField)
	return from != nil && from.str() != o.id
}
