package discover

import (
	"context"
	"sync"

	"society-tui/llm"
	"society-tui/llm/catalog"
	"society-tui/llm/registry"
)

// An Answer is what an endpoint said when it was asked for its models.
type Answer struct {
	Endpoint string
	Result   Result
	Err      error // an *llm.Error, or that of the context
}

// Learn has models learn what the catalogue says of them, at once, and then what their
// endpoints say. Each endpoint is asked once, with the key of its first model, and with that of
// the next if that one is refused. Models without an endpoint that can be asked are left alone,
// and without all those that have to look for their key first, see llm.KeySeeker.
func Learn(ctx context.Context, models *registry.Registry, known *catalog.Catalog, all bool) []Answer {
	Recall(models, known)
	byEndpoint := map[string][]registry.Entry{}
	var order []string
	for _, e := range models.All() {
		if _, ok := e.Model.(Asker); !ok || !all && llm.SeeksKey(e.Model) {
			continue
		}
		if byEndpoint[e.Endpoint] == nil {
			order = append(order, e.Endpoint)
		}
		byEndpoint[e.Endpoint] = append(byEndpoint[e.Endpoint], e)
	}
	answers := make([]Answer, len(order))
	var asked sync.WaitGroup
	for i, endpoint := range order {
		asked.Go(func() {
			answers[i] = askAs(ctx, byEndpoint[endpoint])
			if answers[i].Err != nil {
				return // what it said before may still hold
			}
			for _, e := range byEndpoint[endpoint] {
				models.Learn(e.Name, llm.FromEndpoint, answers[i].Result.Facts(e.Model.Name()))
				if answers[i].Result.Listed {
					models.Offer(e.Name, answers[i].Result.IDs())
				}
			}
		})
	}
	asked.Wait()
	return answers
}

// Recall has models learn what the catalogue says of them. It asks nobody.
func Recall(models *registry.Registry, known *catalog.Catalog) {
	for _, e := range models.All() {
		if _, ok := e.Model.(Asker); !ok {
			continue
		}
		models.Learn(e.Name, llm.FromCatalogue, known.Facts(e.Endpoint, e.Model.Name()))
		if len(e.Offers) == 0 {
			models.Offer(e.Name, known.IDs(e.Endpoint))
		}
	}
}

// askAs asks the endpoint of some models as the first of them that it does not refuse.
func askAs(ctx context.Context, of []registry.Entry) (a Answer) {
	a.Endpoint = of[0].Endpoint
	for _, e := range of {
		a.Result, a.Err = Of(ctx, e.Model.(Asker), e.Endpoint)
		if a.Err == nil || llm.AsError(a.Err).Class != llm.Auth {
			return a
		}
	}
	return a
}
