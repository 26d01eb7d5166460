package io.braid.cli.demo;

import io.braid.Braid;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.DurationConverter;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.UsageException;
import io.braid.examples.game.Game;
import io.braid.examples.game.GameOptions;
import io.braid.examples.game.GameReport;
import io.braid.examples.game.Players;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows what key groups are for. */
@Command(
    name = "game",
    description = {
      "Players sit down at tables, win and lose chips turn by turn, and part again.",
      "Each table is a key group of its players' rows. All the while a snapshot from outside counts"
          + " the chips: not one may be lost or made. Kill it and start it again: games go on."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the chips add up", "1:they do not, or something failed"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid demo game",
      "  braid demo game --tables 10 --games 500 --pause '0 ms' --data game-data",
      "  braid demo game --games 20 --json"
    })
final class GameDemoCommand implements Callable<Integer> {
  @Option(
      names = "--players",
      paramLabel = "N",
      description = "How many there are (default: ${DEFAULT-VALUE}).")
  int players = 200;

  @Option(
      names = "--tables",
      paramLabel = "N",
      description = "How many tables play at the same time (default: ${DEFAULT-VALUE}).")
  int tables = 6;

  @Option(
      names = "--seats",
      paramLabel = "N",
      description = "How many sit at a table, on average (default: ${DEFAULT-VALUE}).")
  int seats = 8;

  @Option(
      names = "--turns",
      paramLabel = "N",
      description = "How many turns a game has, on average (default: ${DEFAULT-VALUE}).")
  int turns = 40;

  @Option(
      names = "--games",
      paramLabel = "N",
      description = "How many games are played (default: ${DEFAULT-VALUE}).")
  long games = 60;

  @Option(
      names = "--pause",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "The least pause between two turns (default: 10 ms).")
  Duration pause = Duration.ofMillis(10);

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Who plays whom (default: ${DEFAULT-VALUE}).")
  long seed = 1;

  @Mixin DatabaseOptions database = new DatabaseOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    if (players < 2 || tables < 1 || seats < 2 || turns < 1 || games < 1) {
      throw new UsageException(
          "A game needs two players and seats at least, a table, a turn and a game.");
    }
    GameOptions options =
        new GameOptions(players, tables, seats, seats / 3, turns, turns / 3, pause, games, seed);
    try (Braid db = database.open();
        GameScreen screen = new GameScreen(output, options)) {
      GameReport report = Game.play(db, options, screen);
      screen.close();
      output.print(report.toObject(), text(report));
      return report.balanced() ? ExitCode.DONE : ExitCode.FAILED;
    }
  }

  private static String text(GameReport report) {
    return String.format(
        Locale.ROOT,
        "%,d games with %,d turns in %.1f s; %,d times no table had enough players.%n"
            + "%,d players have %,d chips, %d each on average, as at the beginning; counted %,d times"
            + " from outside while they played%s.%n"
            + "%s",
        report.games(),
        report.turns(),
        report.seconds(),
        report.refusals(),
        report.totals().players(),
        report.totals().chips(),
        Players.FIRST_CHIPS,
        report.looks(),
        report.unbalanced() == 0
            ? ", and they always added up"
            : "; THEY DID NOT ADD UP " + report.unbalanced() + " TIMES",
        report.balanced() ? "The chips add up." : "THE CHIPS DO NOT ADD UP. This is a defect.");
  }
}
