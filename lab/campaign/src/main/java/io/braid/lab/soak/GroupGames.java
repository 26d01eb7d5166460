package io.braid.lab.soak;

import io.braid.Braid;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.groups.Group;
import io.braid.groups.GroupCreationException;
import io.braid.groups.GroupOutcomeUnknownException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Players who come together in a key group, win and lose chips, and part. No chip is lost. Once a
 * group is closed, the chips of each player are the sum of the acknowledged rounds.
 */
final class GroupGames implements Load {
  private static final String TABLE = "soak-players";
  private static final Column<Long> CHIPS = Column.of("game", "chips", Codecs.int64());
  private static final int PLAYERS = 200;
  private static final long EACH = 1_000;
  private static final int ROUNDS = 20;

  private final Braid db;
  private final SplittableRandom random = new SplittableRandom(3);
  private final Map<Row, Long> stand = new HashMap<>();

  /** A round whose outcome is unknown. No round is played before the outcome is known. */
  private @Nullable Move unsure;

  /** Chips that went from one to another. */
  record Move(Row from, Row to, long chips) {}

  GroupGames(Braid db) {
    this.db = db;
    db.ensureTable(TABLE, "game");
    db.run(
        tx -> {
          for (int i = 0; i < PLAYERS; i++) {
            tx.set(player(i), CHIPS, EACH);
          }
          return PLAYERS;
        });
    for (int i = 0; i < PLAYERS; i++) {
      stand.put(player(i), EACH);
    }
  }

  private static Row player(int number) {
    return Row.of(TABLE, "player" + number);
  }

  @Override
  public String name() {
    return "groups";
  }

  @Override
  public void step() {
    learn();
    List<Row> table = new ArrayList<>();
    for (int i = 2 + random.nextInt(8); i > 0; i--) {
      Row player = player(random.nextInt(PLAYERS));
      if (!table.contains(player)) {
        table.add(player);
      }
    }
    try (Group group = db.group(table)) {
      for (int i = 0; i < ROUNDS; i++) {
        Row from = table.get(random.nextInt(table.size()));
        Row to = table.get(random.nextInt(table.size()));
        play(group, new Move(from, to, random.nextInt(10)));
      }
    } catch (GroupCreationException e) {
      // The group before has not let a player go yet.
      sum();
      return;
    }
    try (Snapshot now = db.snapshot()) {
      table.forEach(player -> requireStand(player, now.get(player, CHIPS).orElse(0L)));
    }
  }

  void play(Group group, Move move) {
    try {
      group.run(
          tx -> {
            tx.set(move.from, CHIPS, tx.get(move.from, CHIPS).orElse(0L) - move.chips);
            tx.set(move.to, CHIPS, tx.get(move.to, CHIPS).orElse(0L) + move.chips);
            return move.chips;
          });
      made(move);
    } catch (GroupOutcomeUnknownException e) {
      unsure = move;
      throw e;
    }
  }

  private void made(Move move) {
    stand.merge(move.from, -move.chips, Long::sum);
    stand.merge(move.to, move.chips, Long::sum);
  }

  /**
   * Finds out the outcome of the round whose answer was lost, from the present leader of the
   * players.
   */
  private void learn() {
    Move move = unsure;
    if (move == null) {
      return;
    }
    List<Row> both = move.from.equals(move.to) ? List.of(move.from) : List.of(move.from, move.to);
    try (Group group = db.group(both)) {
      Function<Row, Long> chips = player -> group.read(player, CHIPS).orElse(0L);
      if (!chips.apply(move.from).equals(stand.get(move.from))) {
        made(move);
      }
      both.forEach(player -> requireStand(player, chips.apply(player)));
      unsure = null;
    }
  }

  private void requireStand(Row player, long chips) {
    WrongException.unless(
        stand.getOrDefault(player, 0L) == chips,
        "Player " + player + " has " + chips + " chips, not " + stand.get(player) + ".");
  }

  private long sum() {
    long sum = 0;
    try (Snapshot now = db.snapshot();
        RowCursor rows = now.scan(Scan.of(TABLE).column(CHIPS))) {
      while (rows.hasNext()) {
        sum += rows.next().get(CHIPS).orElse(0L);
      }
    }
    return sum;
  }

  @Override
  public void check() {
    learn();
    long sum = sum();
    WrongException.unless(
        sum == PLAYERS * EACH, "Players have " + sum + " chips, not " + PLAYERS * EACH + ".");
    if (!db.groups().list().isEmpty()) {
      throw new NotDoneException("A group is still being deleted.");
    }
    try (Snapshot now = db.snapshot()) {
      stand.keySet().forEach(player -> requireStand(player, now.get(player, CHIPS).orElse(0L)));
    }
  }
}
