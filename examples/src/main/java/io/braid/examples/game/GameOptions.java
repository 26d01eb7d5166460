package io.braid.examples.game;

import java.time.Duration;

/**
 * The parameters of the paper's benchmark (6.1).
 *
 * @param players how many there are
 * @param tables how many tables play at the same time
 * @param seats how many players sit at a table, on average
 * @param seatsDeviation the standard deviation of that
 * @param turns how many turns a game has, on average
 * @param turnsDeviation the standard deviation of that
 * @param pause the least pause between two turns; each lasts up to twice as long
 * @param games how many games are played in all
 * @param seed decides who plays whom
 */
public record GameOptions(
    int players,
    int tables,
    int seats,
    int seatsDeviation,
    int turns,
    int turnsDeviation,
    Duration pause,
    long games,
    long seed) {

  /** Returns the options of a game that can be watched. */
  public static GameOptions defaults() {
    return new GameOptions(200, 6, 8, 3, 40, 15, Duration.ofMillis(10), 60, 1);
  }

  /** Returns the options of games at full speed. */
  public static GameOptions busy(int players, int tables, long games, long seed) {
    return new GameOptions(players, tables, 5, 2, 20, 8, Duration.ZERO, games, seed);
  }
}
