package runtime

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"society-tui/llm"
	"society-tui/llm/registry"
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/storage"
)

// mostImages is how many images a request has at most: the newest.
const mostImages = 10

// imagesOf returns the images that came with a message, or that a call has read, without
// their data.
func imagesOf(e *conversation.Entry) (list []llm.Image) {
	for i := range e.Attached {
		if f := &e.Attached[i]; f.IsImage() {
			source := fmt.Sprintf("%s@%d", f.Artifact, f.Version)
			if e.HasImage() && e.Kept != nil {
				source = e.Kept.Hash
			}
			list = append(list, llm.Image{Name: f.Name, Type: f.Type, Source: source, Tokens: f.Tokens()})
		}
	}
	return list
}

// imagesRead returns the message with the images that the calls of an answer have read. It
// stands behind all of their results, since no result can hold one.
func (t *modelCall) imagesRead(list []llm.Image) llm.Message {
	names := make([]string, len(list))
	for i := range list {
		names[i] = protocol.ImageLeftOut(t.lang, list[i].Name, "")
	}
	text := protocol.Sentence(t.lang, protocol.ImagesRead, strings.Join(names, " "))
	return llm.Message{Role: llm.User, Text: protocol.Render(t.lang, protocol.Sender{ID: protocol.RuntimeID}, protocol.Payload{Text: text}), Images: list}
}

// weighImages estimates what the images take that are sent of a history.
func (t *modelCall) weighImages(messages []llm.Message) (weight int) {
	n := 0
	for i := len(messages) - 1; i >= 0 && n < mostImages && t.model.Images != registry.TakesNoImages; i-- {
		for _, f := range messages[i].Images {
			if n++; n <= mostImages {
				weight += f.Tokens
			}
		}
	}
	return weight
}

// A sight remembers what models have done with images while the program runs. Its methods
// may be called from any goroutine.
type sight struct {
	mu     sync.Mutex
	models map[society.WindowKey]*seen // by endpoint and model, as windows are
}

// seen is what one model has done with images, by their sources.
type seen struct {
	none          bool // it takes no images
	taken, denied map[string]bool
}

func (s *sight) of(model society.WindowKey) *seen {
	if s.models == nil {
		s.models = map[society.WindowKey]*seen{}
	}
	if s.models[model] == nil {
		s.models[model] = &seen{taken: map[string]bool{}, denied: map[string]bool{}}
	}
	return s.models[model]
}

// forget forgets what a model has done.
func (s *sight) forget(model society.WindowKey) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.models, model)
}

// refuses reports whether a model takes no images, and whether it has refused this one.
func (s *sight) refuses(model society.WindowKey, source string) (all, one bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.of(model)
	return m.none, m.denied[source]
}

// adapted tells what a model has refused, as llm.Adapter does.
func (s *sight) adapted(model society.WindowKey) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch m := s.of(model); {
	case m.none:
		return []string{llm.AdaptedNoImages}
	case len(m.denied) > 0:
		return []string{llm.AdaptedSomeImages}
	}
	return nil
}

func (s *sight) took(model society.WindowKey, sources []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, source := range sources {
		s.of(model).taken[source] = true
	}
}

// refused remembers that a model answered only without these images. One that has taken
// others before refused those that it had not taken; one that has not takes none.
func (s *sight) refused(model society.WindowKey, sources []string, takes bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.of(model)
	if len(m.taken) == 0 && !takes {
		m.none = true
		return
	}
	for _, source := range sources {
		if !m.taken[source] {
			m.denied[source] = true
		}
	}
}

// ask asks the thought's model and hands each piece of its answer to hear. Where the
// endpoint refuses a request with images, it is asked once more without them. What is not a
// whole answer is an error.
func (r *Runtime) ask(ctx context.Context, t *modelCall, req llm.Request, hear func(llm.Chunk)) (reply, error) {
	full, sources, err := r.withImages(t, req, true)
	if err != nil {
		return reply{}, &llm.Error{Class: llm.Overload, Text: err.Error(), Err: err}
	}
	a, err := r.askOnce(ctx, t, full, hear)
	if len(sources) == 0 {
		return a, err
	}
	if err == nil {
		r.sight.took(windowKey(t.model), sources)
		return a, nil
	}
	if ctx.Err() != nil || a.first != 0 || !mayRefuseImages(err) {
		return a, err
	}
	bare, _, failed := r.withImages(t, req, false)
	if failed != nil {
		return a, err
	}
	again, failed := r.askOnce(ctx, t, bare, hear)
	if failed != nil {
		if again.first == 0 && ctx.Err() == nil {
			return again, err // the images were not to blame
		}
		return again, failed
	}
	r.sight.refused(windowKey(t.model), sources, t.model.Images == registry.TakesImages)
	r.log.Warn("images refused", "agent", t.item.Agent, "model", t.model.Name, "images", len(sources), "error", llm.AsError(err).Text)
	return again, nil
}

// mayRefuseImages reports whether images may be why an endpoint refused a request. Some say
// so with a failure of the server.
func mayRefuseImages(err error) bool {
	e := llm.AsError(err)
	switch e.Class {
	case llm.Invalid, llm.NoImage:
		return true
	case llm.Overload, llm.Context, llm.NotChat:
		said := strings.ToLower(e.Text)
		return e.Status == 413 || e.Status >= 400 && slices.ContainsFunc([]string{"image", "vision", "multimodal", "mmproj"}, func(word string) bool { return strings.Contains(said, word) })
	}
	return false
}

// withImages returns a request with the data of its newest images. In place of one that is
// not sent its message says why. sources are those that are sent; with send unset, none.
func (r *Runtime) withImages(t *modelCall, req llm.Request, send bool) (full llm.Request, sources []string, err error) {
	if !slices.ContainsFunc(req.Messages, func(m llm.Message) bool { return len(m.Images) > 0 }) {
		return req, nil, nil
	}
	messages := slices.Clone(req.Messages) // which the history keeps
	for n, i := 0, len(messages)-1; i >= 0; i-- {
		m := &messages[i]
		var sent []llm.Image
		var left []string
		for _, f := range slices.Backward(m.Images) {
			n++
			instead, data, err := r.image(t, f, n <= mostImages, send)
			if err != nil {
				return req, nil, err
			}
			if instead != "" {
				left = append(left, instead)
				continue
			}
			f.Data = data
			sent, sources = append(sent, f), append(sources, f.Source)
		}
		slices.Reverse(sent)
		slices.Reverse(left)
		m.Images = sent
		for _, line := range left {
			m.Text += "\n" + line
		}
	}
	req.Messages = messages
	return req, sources, nil
}

// image returns the data of an image, or what stands in its place.
func (r *Runtime) image(t *modelCall, f llm.Image, newest, send bool) (instead string, data []byte, err error) {
	none, refused := r.sight.refuses(windowKey(t.model), f.Source)
	none = t.model.Images == registry.TakesNoImages || none
	switch {
	case none || !send && t.model.Images != registry.TakesImages:
		return protocol.ImageLeftOut(t.lang, f.Name, protocol.NoImages, t.model.Name), nil, nil
	case refused || !send:
		return protocol.ImageLeftOut(t.lang, f.Name, protocol.ImageRefused, t.model.Name), nil, nil
	case !newest:
		return protocol.ImageLeftOut(t.lang, f.Name, ""), nil, nil
	}
	err = r.view(func(tx storage.Tx) (err error) {
		data, err = imageAt(tx, f.Source)
		return err
	})
	if errors.Is(err, storage.ErrLost) {
		return protocol.ImageLeftOut(t.lang, f.Name, protocol.ImageLost), nil, nil
	}
	return "", data, err
}

// imageAt reads an image from its source: the version of an artifact, or bytes beside the
// store.
func imageAt(tx storage.Tx, source string) ([]byte, error) {
	id, version, ok := strings.Cut(source, "@")
	if !ok {
		return tx.Blob(storage.Hash(source))
	}
	n, _ := strconv.Atoi(version)
	_, data, found, err := tables.Content(tx, society.ArtifactID(id), n)
	if err == nil && !found {
		err = storage.ErrLost
	}
	return data, err
}
