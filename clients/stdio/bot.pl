#!/usr/bin/env perl
# A sensible bot in Perl: no SDK, core modules only. README.md says how it thinks.
use strict;
use warnings;
use JSON::PP ();
use List::Util qw(max min sum0);

$| = 1;    # each line must go out at once
my $json = JSON::PP->new->canonical;
my %matches;    # by id: material and random state of the matches that run

sub say_message { print $json->encode(shift), "\n" }

# Byzanz: a hand is worth the sales in it, whole ones and those that may still come (in hundredths).

my @HOPE = (0, 30, 65);    # of the best card of a sale that has so many cards

sub is_trader { $_[0] eq 'BYZANZ_CARD_TRADER' }
sub kind_of { $_[0] =~ s/^BYZANZ_CARD_|_\d$//gr }
sub value_of { is_trader($_[0]) ? 0 : substr($_[0], -1) }

sub worth {
    my %kinds;
    my $total = 0;
    for my $card (@_) {
        if (is_trader($card)) { $total += 130 }
        else { push @{ $kinds{ kind_of($card) } }, value_of($card) }
    }
    for my $group (values %kinds) {
        my @values = sort { $b <=> $a } @$group;
        my $sales = int(@values / 3);
        $total += 100 * sum0(@values[0 .. $sales - 1]);
        $total += $HOPE[@values % 3] * ($values[$sales] // 0);
    }
    return $total;
}

sub without {
    my ($hand, $cards) = @_;
    my %gone;
    $gone{$_}++ for @$cards;
    return grep { !($gone{$_} && $gone{$_}--) } @$hand;
}

sub score_byzanz {
    my ($move, $seen) = @_;
    my $type = $move->{type};
    return 0 if $type eq 'TYPE_DONE';
    my @gain;
    @gain = @{ $seen->{seats}[ $seen->{seat} ]{laid} // [] } if $type eq 'TYPE_PASS';
    @gain = @{ $seen->{lot} } if $type eq 'TYPE_BID' || $type eq 'TYPE_GIVE';
    if ($type eq 'TYPE_TAKE') {
        my $kind = $move->{kind} =~ s/^BYZANZ_KIND_//r;
        @gain = grep { kind_of($_) eq $kind } @{ $seen->{market} };
    }
    my $cards = $move->{cards} // [];
    my $after = worth(without([@{ $seen->{hand} // [] }, @gain], $cards));
    return $type eq 'TYPE_SELL' ? $after + 100 * (max(map { value_of($_) } @$cards) || 5) : $after;
}

# Schwarzmarkt: sell at a decent price, and play the offers that want what is in the hand.

sub counts {
    my %count;
    $count{$_}++ for @{ shift() // [] };
    return \%count;
}

sub wanted {
    my ($held, $demand) = @_;
    return sum0(map { min($held->{$_} // 0, $demand->{$_}) } keys %$demand);
}

sub score_schwarzmarkt {
    my ($move, $seen, $material) = @_;
    my ($type, $held, $track) = ($move->{type}, counts($seen->{goods}), $material->{track});
    if ($type eq 'TYPE_TRADE') {
        my $is_decent = 4 * $track->[$seen->{marker} // 0]{price} >= $track->[-1]{price};
        return $is_decent ? 2 * @{ $move->{goods} } : -200;
    }
    return -2 * $move->{spaces} if $type eq 'TYPE_STEP';
    my $demand = defined $move->{card} ? $material->{cards}[ $move->{card} ]{demand} : undef;
    return 2 * wanted($held, counts($demand)) if $demand && @$demand;
    my $given = sum0(map { $held->{$_} // 0 } @{ $move->{goods} // [] });
    return $type eq 'TYPE_RETURN' ? 2 * $given : 1 - 2 * $given;
}

# Chance: of equally good moves one is drawn. All of it comes from the bot's seed, so that the same
# match is played the same way again.

my $DIGITS = join '', 'A' .. 'Z', 'a' .. 'z', 0 .. 9, '+/=';

sub seeded {
    my $state = 1;
    $state = ($state * 65 + index($DIGITS, $_) + 1) % 2147483647 for split //, shift;
    return $state;
}

sub draw {
    my ($match, $limit) = @_;
    $match->{random} = $match->{random} * 16807 % 2147483647;
    return $match->{random} % $limit;
}

sub decide {
    my $decision = shift;
    my $match = $matches{ $decision->{matchId} };
    my $game = $decision->{byzanz} // $decision->{schwarzmarkt};
    my $score = $decision->{byzanz} ? \&score_byzanz : \&score_schwarzmarkt;
    my @scores
        = map { $score->($_, $game->{observation}, $match->{material}) } @{ $game->{legalMoves} };
    my $top = max(@scores);
    my @best = grep { $scores[$_] == $top } 0 .. $#scores;
    my $index = @best > 1 ? $best[draw($match, scalar @best)] : $best[0];
    return {
        matchId => $decision->{matchId},
        decisionId => $decision->{decisionId},
        moveIndex => $index,
    };
}

my @games = qw(byzanz schwarzmarkt);
say_message({ hello => { bot => 'sensible-pl', version => '1', games => \@games, maxMatches => 16 } });

while (my $line = <STDIN>) {
    my $message = $json->decode($line);
    if (my $started = $message->{matchStarted}) {
        $matches{ $started->{matchId} } = {
            material => $started->{byzanz} // $started->{schwarzmarkt},
            random => seeded($started->{botSeed}),
        };
    }
    elsif (my $decisions = $message->{decisions}) {
        my @answers = map { decide($_) } @{ $decisions->{decisions} };
        say_message({ answers => { answers => \@answers } });
    }
    elsif (my $ended = $message->{matchEnded}) {
        delete $matches{ $ended->{matchId} };
    }    # everything else is ignored
}
