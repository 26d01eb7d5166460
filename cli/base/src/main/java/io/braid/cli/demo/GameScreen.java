package io.braid.cli.demo;

import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.Terminal;
import io.braid.examples.game.GameOptions;
import io.braid.examples.game.GameView;
import io.braid.examples.game.Players;
import io.braid.examples.game.Turn;
import io.braid.groups.Group;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Locale;

/**
 * Shows the tables: redrawn in place when a person is looking at a terminal, otherwise a plain line
 * for each group that forms or dissolves.
 */
final class GameScreen implements GameView, AutoCloseable {
  private static final long REDRAW_NANOS = 100_000_000;

  private final PrintWriter out;
  private final boolean live;
  private final String[] lines;
  private long drawn;
  private boolean any;
  private boolean closed;

  GameScreen(OutputOptions output, GameOptions options) {
    this.out = output.json() ? output.err() : output.out();
    this.live = !output.json() && Terminal.console().isPresent();
    this.lines = new String[options.tables() + 1];
    Arrays.fill(lines, "");
  }

  @Override
  public synchronized void formed(int table, Group group) {
    String left =
        group.notJoined().isEmpty() ? "" : ", " + group.notJoined().size() + " play elsewhere";
    show(
        table,
        String.format(
            Locale.ROOT,
            "table %d  group %s formed: %d players%s",
            table,
            group.name(),
            group.members().size(),
            left));
  }

  @Override
  public synchronized void played(int table, Group group, Turn turn, long position) {
    if (live) {
      lines[table] =
          String.format(
              Locale.ROOT,
              "table %d  group %s  %d players  turn %d: %s pays %s %d",
              table,
              group.name(),
              group.members().size(),
              position,
              turn.from().key().toUtf8(),
              turn.to().key().toUtf8(),
              turn.chips());
      redraw(false);
    }
  }

  @Override
  public synchronized void parted(int table, String group) {
    show(
        table,
        String.format(Locale.ROOT, "table %d  group %s dissolved: all in the store", table, group));
  }

  @Override
  public synchronized void looked(Players.Totals totals, int groups) {
    lines[lines.length - 1] =
        String.format(
            Locale.ROOT,
            "%d groups; seen from outside: %,d players, %,d chips: %s",
            groups,
            totals.players(),
            totals.chips(),
            totals.balanced() ? "they add up" : "THEY DO NOT ADD UP");
    if (live) {
      redraw(false);
    } else if (!totals.balanced()) {
      say(lines[lines.length - 1]);
    }
  }

  private void show(int table, String line) {
    lines[table] = line;
    if (live) {
      redraw(false);
    } else {
      say(line);
    }
  }

  private void say(String line) {
    out.println(line);
    out.flush();
  }

  private void redraw(boolean now) {
    long time = System.nanoTime();
    if (closed || (!now && any && time - drawn < REDRAW_NANOS)) {
      return;
    }
    drawn = time;
    StringBuilder frame = new StringBuilder();
    if (any) {
      frame.append("\u001b[").append(lines.length).append('A');
    }
    any = true;
    for (String line : lines) {
      frame.append("\u001b[2K").append(line, 0, Math.min(line.length(), 100)).append('\n');
    }
    out.print(frame);
    out.flush();
  }

  @Override
  public synchronized void close() {
    if (live && !closed) {
      redraw(true);
    }
    closed = true;
  }
}
