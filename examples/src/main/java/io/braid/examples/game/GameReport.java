package io.braid.examples.game;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The outcome of the games.
 *
 * @param games how many were played to their end
 * @param turns how many turns were played and are durable
 * @param refusals how often no player could sit down
 * @param looks how often the totals were looked at from outside while games went on
 * @param unbalanced how often they did not add up; never
 * @param totals at the end
 * @param seconds how long it took
 */
public record GameReport(
    long games,
    long turns,
    long refusals,
    long looks,
    long unbalanced,
    Players.Totals totals,
    double seconds) {

  public boolean balanced() {
    return unbalanced == 0 && totals.balanced();
  }

  public Map<String, Object> toObject() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("games", games);
    all.put("turns", turns);
    all.put("refusals", refusals);
    all.put("looks", looks);
    all.put("unbalanced", unbalanced);
    all.put("players", totals.players());
    all.put("chips", totals.chips());
    all.put("balanced", balanced());
    all.put("seconds", seconds);
    return all;
  }
}
