package conversation

import "slices"

// Share returns how long each of several texts may be that are sent as one, with
// so many bytes around them: what short ones leave is the others'.
func Share(texts []string, around, most int) int {
	lengths := make([]int, len(texts))
	for i, text := range texts {
		lengths[i] = len(text)
	}
	left, share := max(0, most-around), most
	for n, length := range slices.Sorted(slices.Values(lengths)) {
		if share = left / (len(lengths) - n); length > share {
			break
		}
		left -= length
	}
	return share
}

// around is the size of what surrounds a text in a request: roles, separators.
const around = 4

// Estimate guesses how many tokens a model makes of a text: one of 3.5 bytes, as in Budgets.
// Tokenizers differ; what a Tail has learned from the endpoint's counts corrects the guess.
func Estimate(text string) int { return (2*len(text) + 6) / 7 }

// Weigh estimates what a text adds to the context, with what stands around it.
func Weigh(text string) int { return Estimate(text) + around }

// Weight estimates what an entry adds to the context of a model with these
// budgets: what is sent of its text, and of the calls that it makes.
func (e *Entry) Weight(b Budgets) int {
	x, cut := b.Cut(e)
	w := weighed(e.Text, x, cut) + Estimate(e.Todo)
	for _, c := range e.Calls {
		w += Estimate(c.Name) + b.Message.weigh(c.Arguments)
	}
	for i := range e.Attached {
		w += e.Attached[i].Tokens()
	}
	return w
}

// Tokens estimates what a model makes of an image; 0 of a text, which is in the message.
func (f *Attachment) Tokens() int { return ImageTokens(f.Width, f.Height) }

// ImageTokens estimates what a model makes of an image. Endpoints count 500 to 1000 pixels
// a token.
func ImageTokens(width, height int) int { return (width*height + 749) / 750 }

// exact is the Scale of an estimate that was right.
const exact = 1000

// Answered adds the answer that was just kept. output is the endpoint's count for it; 0
// if there is none, or if it includes thoughts that are not part of the context.
func (t *Tail) Answered(weight, output int) {
	if output > 0 && t.Measured {
		t.Tokens += output
	} else {
		t.Since += weight
	}
	if t.Group != nil && len(t.Group.Beside) == 0 { // else it is never dropped
		t.Group.Weight = weight
	}
}

// Weighed adds the estimate for something that came into the context since the
// endpoint last counted.
func (t *Tail) Weighed(weight int) { t.Since += weight }

// Counted sets the size to what the endpoint counted for a request; guess is our estimate
// for the same request, which shows how far our estimates are off. An endpoint that does
// not count leaves the guess.
func (t *Tail) Counted(tokens, guess int) {
	switch {
	case tokens > 0:
		t.Tokens, t.Since, t.Measured = tokens, 0, true
		if guess > 0 {
			// One odd answer must not make all that follows absurd.
			t.Scale = min(max(tokens*exact/guess, exact/4), exact*4)
		}
	case guess > 0:
		t.Tokens, t.Since, t.Measured = t.scaled(guess), 0, false
	}
}

// Guessed sets the size to an estimate for the whole context, after it was compressed.
func (t *Tail) Guessed(guess int) {
	t.Tokens, t.Since, t.Measured = t.scaled(guess), 0, false
}

// Size returns how many tokens the context takes, and whether that is what the
// endpoint counted, without any estimate.
func (t Tail) Size() (tokens int, counted bool) {
	return t.Tokens + t.scaled(t.Since), t.Measured && t.Since == 0
}

// Calibrated returns an estimate in the endpoint's way of counting, and whether anything is
// known of that.
func (t Tail) Calibrated(guess int) (tokens int, known bool) { return t.scaled(guess), t.Scale != 0 }

// Guess returns the estimate that stands for so many tokens of the endpoint's.
func (t Tail) Guess(tokens int) int {
	if t.Scale == 0 {
		return tokens
	}
	return tokens * exact / t.Scale
}

func (t Tail) scaled(guess int) int {
	if t.Scale == 0 {
		return guess
	}
	return guess * t.Scale / exact
}

// Crowded reports how a context is so full that its agent must be warned: it holds more
// than most entries, or takes more than 80 % of the window. An unknown window is 0: then
// the count alone decides.
func (t Tail) Crowded(most, window int) (byCount, byTokens bool) {
	tokens, _ := t.Size()
	return t.Count > most, window > 0 && tokens*10 > window*8
}
