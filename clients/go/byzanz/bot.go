// Package byzanz is for bots that play Byzanz: cards, moves and what a seat sees. The rules cited
// (B3.5, ...) are those of the rules page.
package byzanz

import (
	arena "arena-bots"
	v1 "arena-bots/v1"
)

// Game is the name of the game.
const Game = "byzanz"

// Bot is who plays, for Byzanz. The fields are those of arena.Bot.
type Bot struct {
	Name, Version       string
	MaxMatches, Workers int
	New                 func(match *Match) Player
}

// Player plays one match. If it has a method Ended, see arena.Ender, it is told the outcome.
type Player interface {
	// Decide returns one of the legal moves of a decision, or the arena.Index of one.
	Decide(decision *Decision) arena.Choice
}

// AnyGame returns it as arena.Run takes it.
func (b Bot) AnyGame() arena.Bot {
	bot := arena.Bot{
		Name: b.Name, Version: b.Version, Games: []string{Game},
		MaxMatches: b.MaxMatches, Workers: b.Workers,
	}
	if b.New != nil {
		bot.New = func(started *arena.Match) arena.Player {
			match := MatchOf(started)
			if made := b.New(match); made != nil {
				return player{made, match}
			}
			return nil
		}
	}
	return bot
}

// player shows a player of this game what belongs to any game in the types of this one.
type player struct {
	Player
	match *Match
}

func (p player) Decide(decision *arena.Decision) arena.Choice {
	return p.Player.Decide(&Decision{Decision: decision, Match: p.match})
}

func (p player) Ended(outcome *arena.Outcome) {
	if ender, ok := p.Player.(arena.Ender); ok {
		ender.Ended(outcome)
	}
}

// Match is a match of Byzanz.
type Match struct {
	*arena.Match
	Material Material
}

// Material is what is settled before the first move (B2).
type Material struct {
	// Offers are the numbers on the offer cards, highest first: the sizes of a round's lots.
	Offers []int
	// Rounds is how many rounds there will be.
	Rounds int
	// Removed is how many cards were removed unseen.
	Removed int
}

// NewMatch returns the match that a message tells of.
func NewMatch(message *v1.MatchStarted) *Match { return MatchOf(arena.NewMatch(message)) }

// MatchOf returns a match of any game as one of Byzanz.
func MatchOf(match *arena.Match) *Match {
	message := match.Message.GetByzanz()
	material := Material{Rounds: int(message.GetRounds()), Removed: int(message.GetRemoved())}
	for _, offer := range message.GetOffers() {
		material.Offers = append(material.Offers, int(offer))
	}
	return &Match{match, material}
}
