// Package words holds all words of the screen, in each language: a table for each
// room, made by its For… function. A test holds that no word is missing in any
// language, and that the verbs of a form are the same in all.
package words
