package io.braid.examples.game;

import io.braid.Braid;
import io.braid.core.data.Row;
import io.braid.groups.Group;
import io.braid.groups.GroupCreationException;
import io.braid.groups.GroupRequest;
import io.braid.groups.GroupTransaction;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** One table: game after game, each with other players. */
final class GameTable {
  private static final long STAKE = 25;

  private final Braid db;
  private final GameOptions options;
  private final GameView view;
  private final int number;
  private final Random random;
  private long turns;
  private long refusals;

  GameTable(Braid db, GameOptions options, GameView view, int number) {
    this.db = db;
    this.options = options;
    this.view = view;
    this.number = number;
    this.random = new Random(options.seed() * 1_000_003 + number);
  }

  /** Plays one game, if any player can sit down. */
  boolean play() {
    Set<Row> wanted = new LinkedHashSet<>();
    int seats = Math.max(2, normal(options.seats(), options.seatsDeviation()));
    while (wanted.size() < Math.min(seats, options.players())) {
      wanted.add(Players.row(random.nextInt(options.players())));
    }
    Group group;
    try {
      group = db.group(GroupRequest.of(wanted).bestEffort());
    } catch (GroupCreationException e) {
      refusals++;
      view.refused(number, String.valueOf(e.getMessage()));
      return false;
    }
    try (group) {
      view.formed(number, group);
      goOn(group);
    }
    view.parted(number, group.name());
    return true;
  }

  /** Plays at a table where players sit already. */
  void goOn(Group group) {
    List<Row> seated = new ArrayList<>(group.members());
    seated.sort(Row::compareTo);
    int length = Math.max(1, normal(options.turns(), options.turnsDeviation()));
    for (int i = 0; i < length && !Thread.currentThread().isInterrupted(); i++) {
      turn(group, seated);
      pause();
    }
  }

  private void turn(Group group, List<Row> seated) {
    Row loser = seated.get(random.nextInt(seated.size()));
    Row winner = seated.get(random.nextInt(seated.size()));
    long stake = 1 + random.nextInt((int) STAKE);
    long position;
    Turn turn;
    try (GroupTransaction tx = group.begin()) {
      long chips = Math.min(stake, tx.get(loser, Players.CHIPS).orElse(0L));
      tx.set(loser, Players.CHIPS, tx.get(loser, Players.CHIPS).orElse(0L) - chips);
      tx.set(winner, Players.CHIPS, tx.get(winner, Players.CHIPS).orElse(0L) + chips);
      tx.set(loser, Players.TURNS, tx.get(loser, Players.TURNS).orElse(0L) + 1);
      turn = new Turn(loser, winner, chips);
      position = tx.commit();
    }
    turns++;
    view.played(number, group, turn, position);
  }

  private void pause() {
    long nanos = options.pause().toNanos();
    if (nanos > 0) {
      try {
        TimeUnit.NANOSECONDS.sleep(nanos + (long) (random.nextDouble() * nanos));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private int normal(int mean, int deviation) {
    return (int) Math.round(mean + random.nextGaussian() * deviation);
  }

  long turns() {
    return turns;
  }

  long refusals() {
    return refusals;
  }
}
