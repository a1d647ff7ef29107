package arena.client;

import arena.v1.Byzanz.ByzanzCard;
import arena.v1.Byzanz.ByzanzDecision;
import arena.v1.Byzanz.ByzanzMove;
import arena.v1.Byzanz.ByzanzObservation;
import arena.v1.Byzanz.ByzanzSeat;
import arena.v1.Play;
import arena.v1.Schwarzmarkt.SchwarzmarktCard;
import arena.v1.Schwarzmarkt.SchwarzmarktEffect;
import arena.v1.Schwarzmarkt.SchwarzmarktGood;
import arena.v1.Schwarzmarkt.SchwarzmarktMaterial;
import arena.v1.Schwarzmarkt.SchwarzmarktSpace;
import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;

/** Messages that the tests speak with. */
final class Messages {
    static final SchwarzmarktMaterial MATERIAL =
            SchwarzmarktMaterial.newBuilder()
                    .addTrack(SchwarzmarktSpace.newBuilder().setPrice(1).setSteps(4))
                    .addTrack(SchwarzmarktSpace.newBuilder().setPrice(50))
                    .addCards(
                            SchwarzmarktCard.newBuilder()
                                    .setName("offer:potatoes-2,butter-1")
                                    .setCopies(1)
                                    .addDemand(SchwarzmarktGood.SCHWARZMARKT_GOOD_POTATOES)
                                    .addDemand(SchwarzmarktGood.SCHWARZMARKT_GOOD_POTATOES)
                                    .addDemand(SchwarzmarktGood.SCHWARZMARKT_GOOD_BUTTER))
                    .addCards(
                            SchwarzmarktCard.newBuilder()
                                    .setName("old_debt")
                                    .setCopies(2)
                                    .setEffect(SchwarzmarktEffect.SCHWARZMARKT_EFFECT_OLD_DEBT))
                    .addCards(
                            SchwarzmarktCard.newBuilder()
                                    .setName("foraging")
                                    .setCopies(1)
                                    .setEffect(SchwarzmarktEffect.SCHWARZMARKT_EFFECT_FORAGING))
                    .addGoods(SchwarzmarktGood.SCHWARZMARKT_GOOD_POTATOES)
                    .addGoods(SchwarzmarktGood.SCHWARZMARKT_GOOD_FLOUR)
                    .build();

    private Messages() {}

    /** Returns the start of a match with the bot in seat 1 of 2. */
    static Play.MatchStarted started(String matchId, String game) {
        Play.MatchStarted.Builder message =
                Play.MatchStarted.newBuilder()
                        .setMatchId(matchId)
                        .setGame(game)
                        .setOptionsJson("{\"deck\":\"uneven\",\"rounds\":2}")
                        .setSeat(1)
                        .addSeats(Play.SeatInfo.newBuilder().setBot("other").setVersion("2"))
                        .addSeats(Play.SeatInfo.newBuilder().setBot("mine"))
                        .setTimeControl(
                                Play.TimeControl.newBuilder()
                                        .setMoveTime(Duration.newBuilder().setNanos(500_000_000))
                                        .setBank(Duration.newBuilder().setSeconds(10))
                                        .setMaxFaults(3))
                        .setBotSeed(ByteString.copyFrom(new byte[32]));
        if (game.equals("schwarzmarkt")) {
            message.setSchwarzmarkt(MATERIAL);
        }
        return message.build();
    }

    /** Returns an auction of Byzanz with three legal moves: pass and two bids. */
    static Play.Decision decision(String matchId, int id) {
        ByzanzMove.Builder bid = ByzanzMove.newBuilder().setType(ByzanzMove.Type.TYPE_BID);
        return Play.Decision.newBuilder()
                .setMatchId(matchId)
                .setDecisionId(id)
                .setLegalCount(3)
                .setBank(Duration.newBuilder().setSeconds(7))
                .setByzanz(
                        ByzanzDecision.newBuilder()
                                .setObservation(
                                        ByzanzObservation.newBuilder()
                                                .setSeat(1)
                                                .addHand(ByzanzCard.BYZANZ_CARD_SPICE_2)
                                                .addHand(ByzanzCard.BYZANZ_CARD_WINE_1)
                                                .addSeats(ByzanzSeat.newBuilder().setPoints(4))
                                                .addSeats(ByzanzSeat.newBuilder().setPoints(9)))
                                .addLegalMoves(
                                        ByzanzMove.newBuilder().setType(ByzanzMove.Type.TYPE_PASS))
                                .addLegalMoves(bid.clone().addCards(ByzanzCard.BYZANZ_CARD_WINE_1))
                                .addLegalMoves(
                                        bid.clone()
                                                .addCards(ByzanzCard.BYZANZ_CARD_SPICE_2)
                                                .addCards(ByzanzCard.BYZANZ_CARD_WINE_1)))
                .build();
    }

    /** Returns decisions with the id 1 in some matches. */
    static Play.Decisions firstOf(Iterable<String> matchIds) {
        Play.Decisions.Builder decisions = Play.Decisions.newBuilder();
        matchIds.forEach(matchId -> decisions.addDecisions(decision(matchId, 1)));
        return decisions.build();
    }

    /** Returns the end of a match that the bot has won. */
    static Play.MatchEnded ended(String matchId) {
        return Play.MatchEnded.newBuilder()
                .setMatchId(matchId)
                .addScores(3)
                .addScores(9)
                .addRanks(2)
                .addRanks(1)
                .addForfeits(Play.Fault.FAULT_TIMEOUT)
                .addForfeits(Play.Fault.FAULT_UNSPECIFIED)
                .build();
    }
}
