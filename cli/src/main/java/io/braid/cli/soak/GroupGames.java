package io.braid.cli.soak;

import io.braid.Braid;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.groups.Group;
import io.braid.groups.GroupCreationException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Players who come together in a key group, win and lose chips, and part; no chip is lost. */
final class GroupGames implements Load {
  private static final String TABLE = "soak-players";
  private static final Column<Long> CHIPS = Column.of("game", "chips", Codecs.int64());
  private static final int PLAYERS = 200;
  private static final long EACH = 1_000;
  private static final int ROUNDS = 20;

  private final Braid db;
  private final SplittableRandom random = new SplittableRandom(3);

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
        long chips = random.nextInt(10);
        group.run(
            tx -> {
              tx.set(from, CHIPS, tx.get(from, CHIPS).orElse(0L) - chips);
              tx.set(to, CHIPS, tx.get(to, CHIPS).orElse(0L) + chips);
              return chips;
            });
      }
    } catch (GroupCreationException e) {
      // The group before has not let a player go yet.
      sum();
    }
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
    long sum = sum();
    WrongException.unless(
        sum == PLAYERS * EACH, "Players have " + sum + " chips, not " + PLAYERS * EACH + ".");
  }
}
