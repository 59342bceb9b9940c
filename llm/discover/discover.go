// Package discover asks an endpoint which models it has, and what it knows of them.
package discover

import (
	"context"
	"time"

	"society-tui/llm"
	"society-tui/llm/chatapi"
)

// Patience bounds how long a list of models may take.
const Patience = 5 * time.Second

// A Result is what an endpoint says of itself.
type Result struct {
	// Listed is set if the endpoint has a list of models. Without one, names are to be typed.
	Listed bool
	// Server is the kind of a server that needs more than the list: "Ollama", "LM Studio",
	// "llama.cpp", "LiteLLM"; "" for others.
	Server string
	Models []Model
}

// A Model is one that an endpoint has.
type Model struct {
	ID    string
	Facts llm.Facts
}

// Models asks the endpoint of config for its models, without following a redirect. The model of
// config may be empty; if it is not, more is asked of it than of others. An error is an
// *llm.Error or that of ctx.
func Models(ctx context.Context, config chatapi.Config) (Result, error) {
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	_ = ctx
	return Result{}, nil
}
