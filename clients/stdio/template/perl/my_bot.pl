#!/usr/bin/env perl
# {{name}}, a bot for arena. Edit choose(); the code below it talks to the arena.
use strict;
use warnings;
use JSON::PP ();
use MIME::Base64 ();

my %GAINFUL = map { $_ => 1 } qw(TYPE_SELL TYPE_TRADE);    # these score, in Byzanz and Schwarzmarkt

# Returns the place of the move to make. $game holds the observation, the legal moves and the events
# since the last decision; $match is how the match began. draw($match, $n) is a random number below $n.
sub choose {
    my ($game, $match) = @_;
    my @places = 0 .. $#{ $game->{legalMoves} };
    my @gainful = grep { $GAINFUL{ $game->{legalMoves}[$_]{type} } } @places;
    my @good = @gainful ? @gainful : @places;
    return $good[draw($match, scalar @good)];
}

$| = 1;    # each line must go out at once
my $json = JSON::PP->new->canonical;
my %matches;    # those that run, by id: how each began
my %chance;     # of each of them

sub say_message { print $json->encode(shift), "\n" }

# All chance comes from the bot's seed, so that the same match is played the same way again.
sub seeded {
    my $state = 1;
    $state = ($state * 257 + $_) % 2147483647 for unpack 'C*', MIME::Base64::decode(shift);
    return $state;
}

sub draw {
    my ($match, $limit) = @_;
    my $id = $match->{matchId};
    $chance{$id} = $chance{$id} * 16807 % 2147483647;
    return $chance{$id} % $limit;
}

sub answer {
    my $decision = shift;
    my $id = $decision->{matchId};
    my $index = choose($decision->{byzanz} // $decision->{schwarzmarkt}, $matches{$id});
    return { matchId => $id, decisionId => $decision->{decisionId}, moveIndex => $index };
}

say_message({ hello => { bot => '{{name}}', version => '1', games => [qw(byzanz schwarzmarkt)] } });

while (my $line = <STDIN>) {
    my $message = $json->decode($line);
    if (my $started = $message->{matchStarted}) {
        $matches{ $started->{matchId} } = $started;
        $chance{ $started->{matchId} } = seeded($started->{botSeed});
    }
    elsif (my $decisions = $message->{decisions}) {
        my @answers = map { answer($_) } @{ $decisions->{decisions} };
        say_message({ answers => { answers => \@answers } });
    }
    elsif (my $ended = $message->{matchEnded}) {
        delete $matches{ $ended->{matchId} };
        delete $chance{ $ended->{matchId} };
    }    # everything else is ignored
}
