package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"society-tui/runtime/apiclient"
	"society-tui/runtime/tables/tablestest"
)

// A load is a society of which many agents stream.
type load struct {
	name            string
	agents, streams int
	pace            time.Duration // interval of the words of a stream
	length          time.Duration
}

func (l load) String() string {
	return fmt.Sprintf("%d agents, %d stream %d words a second", l.agents, l.streams, time.Second/l.pace)
}

// streaming measures a load with the screen open and another one attached, and compares
// what the endpoint has sent with what the society holds at the end.
func (r *run) streaming(l load) error {
	server := newModelServer(l.pace)
	defer server.Close() // after the program has ended
	h, err := r.home(l.name, server.URL, limits(l.streams)...)
	if err != nil {
		return err
	}
	if err := h.fill(tablestest.Settlement{Agents: l.agents, Children: true}); err != nil {
		return err
	}
	x, err := h.opened(h.open)
	if err != nil {
		return err
	}
	defer x.kill()
	c, err := h.client()
	if err != nil {
		return err
	}
	defer c.Close()
	agents, err := begin(c, server, l.streams)
	if err != nil {
		return err
	}
	other, err := h.opened(h.attach)
	if err != nil {
		return err
	}
	defer other.kill()
	if err := other.toTree(); err != nil {
		return err
	}
	w := &watch{hands: []*hand{typist(x), climber(other)}, store: h.store()}
	words := server.words.Load()
	if err := w.follow(l.length); err != nil {
		return err
	}
	r.curves = append(r.curves, curve{l, w.samples})
	r.printLoad(l, w.samples, float64(server.words.Load()-words)/time.Since(w.begun).Seconds())
	if err := server.finish(); err != nil {
		return err
	}
	return r.compare(c, server, agents)
}

// limits are settings with which so many agents stream as long as they like.
func limits(streams int) []string {
	return []string{
		"agents = 10000", "depth = 50", "spawns_per_minute = 10000", fmt.Sprintf("model_calls = %d", max(streams, 1)),
		"tool_rounds = 1000", "max_context_messages = 10000",
	}
}

// begin asks so many agents, each for a stream of its own, waits until all stream, and
// returns them in the order of the streams.
func begin(c *apiclient.Client, server *modelServer, streams int) ([]string, error) {
	var list struct{ Agents []struct{ ID string } }
	if err := c.Get(context.Background(), "/api/agents", nil, &list); err != nil {
		return nil, err
	}
	var asked []string
	for i := range streams {
		asked = append(asked, list.Agents[i].ID)
		body := map[string]string{"agentId": asked[i], "text": "Say " + nameOf(i) + "."}
		if err := c.Post(context.Background(), "/api/send", body, new(apiclient.Sent)); err != nil {
			return nil, err
		}
		<-time.After(15 * time.Millisecond) // the API takes a hundred requests a second
	}
	for begun := time.Now(); server.begun() < streams; <-time.After(10 * time.Millisecond) {
		if time.Since(begun) > patience {
			return nil, fmt.Errorf("%d of %d streams have begun", server.begun(), streams)
		}
	}
	return asked, nil
}

func (r *run) printLoad(l load, samples []sample, words float64) {
	say := func(what, format string, values ...any) { r.say(l.name, what, format, values...) }
	say(l.String(), "%.0f words a second came, for %v", words, l.length)
	for i, who := range []string{"the screen", "an attached screen"} {
		cpu, all := column(samples, func(s sample) float64 { return s.cpu[i] }), column(samples, func(s sample) float64 { return s.mem[i].resident })
		say("CPU, "+who, "median %.0f %%, 95 %% of the seconds within %.0f %% of a core", quantile(cpu, 0.5), quantile(cpu, 0.95))
		say("memory, "+who, "%.0f MiB at first, %.0f at last, %.0f at most", all[0], all[len(all)-1], slices.Max(all))
		own := column(samples, func(s sample) float64 { return s.mem[i].own })
		say("of that without files, "+who, "%.0f MiB at first, %.0f at last, %.0f at most", own[0], own[len(own)-1], slices.Max(own))
		say("key to frame, "+who+", p50 / p95 / p99", "%s", spread(column(samples, func(s sample) time.Duration { return s.key[i] })))
	}
	say("store", "%.1f MiB at first, %.1f at last", samples[0].store, samples[len(samples)-1].store)
}

// Faults are the words that did not come as they were sent.
type faults struct{ sent, lost, doubled, reordered int }

// compare counts them, and fails if there are any.
func (r *run) compare(c *apiclient.Client, server *modelServer, agents []string) error {
	var all faults
	for i, agent := range agents {
		texts, err := said(c, agent)
		if err != nil {
			return err
		}
		all.add(nameOf(i), server.sent[nameOf(i)], texts)
	}
	r.say(r.curves[len(r.curves)-1].name, "words sent, lost, doubled, out of order", "%d, %d, %d, %d", all.sent, all.lost, all.doubled, all.reordered)
	if all.lost+all.doubled+all.reordered > 0 {
		return errors.New("the society does not hold what the endpoint has sent")
	}
	return nil
}

// add counts the words of a stream in the text that came of it. Every word of another
// stream is a doubled one.
func (f *faults) add(stream string, sent int, text string) {
	f.sent += sent
	number := map[string]int{}
	for n := 1; n <= sent; n++ {
		number[wordOf(stream, n)] = n
	}
	seen, last := map[int]bool{}, 0
	for word := range strings.FieldsSeq(text) {
		n := number[word]
		switch {
		case n == 0 && !strings.Contains(word, "/"): // of the last sentence
			continue
		case n == 0 || seen[n]:
			f.doubled++
		case n < last:
			f.reordered++
		}
		seen[n], last = true, max(n, last)
	}
	delete(seen, 0)
	f.lost += sent - len(seen)
}

// said returns all answers of an agent.
func said(c *apiclient.Client, agent string) (string, error) {
	var text strings.Builder
	for from := uint64(0); ; {
		var page struct {
			Entries []struct{ Kind, Text string }
			Next    uint64
		}
		query := url.Values{"from": {fmt.Sprint(from)}}
		if err := c.Get(context.Background(), "/api/agents/"+agent+"/conversation", query, &page); err != nil {
			return "", err
		}
		for _, e := range page.Entries {
			if e.Kind == "answer" {
				text.WriteString(e.Text + " ")
			}
		}
		<-time.After(15 * time.Millisecond) // the API takes a hundred requests a second
		if len(page.Entries) == 0 || page.Next <= from {
			return text.String(), nil
		}
		from = page.Next
	}
}
