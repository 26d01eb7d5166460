package io.braid.cli.maintenance;

import io.braid.Braid;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.SnapshotOptions;
import io.braid.core.failure.ErrorCode;
import io.braid.core.time.Timestamp;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transactions.Pin;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Keeps snapshots by name. */
@Command(
    name = "pin",
    description = "Keeps snapshots by name, so that their versions are not collected.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid pin create before-release",
      "  braid scan accounts --at before-release",
      "  braid pin drop before-release"
    })
public final class PinCommand {

  @Command(
      name = "create",
      description = "Pins a snapshot: of now, or of --at.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = {
        "  braid pin create before-release",
        "  braid pin create yesterday --at 2026-05-04T10:00:00Z"
      })
  int create(
      @Parameters(paramLabel = "NAME", description = "The name of the pin.") String name,
      @Mixin SnapshotOptions snapshot,
      @Mixin DatabaseOptions database,
      @Mixin OutputOptions output) {
    try (Braid db = database.openExisting();
        Snapshot reads = snapshot.open(db)) {
      if (db.transactions().pins().stream().anyMatch(pin -> pin.name().equals(name))) {
        return output.refused(
            ErrorCode.PIN_EXISTS, "there is a pin " + name + " already: drop it first.");
      }
      print(output, db.transactions().pin(name, reads.timestamp()));
      return ExitCode.DONE;
    }
  }

  @Command(
      name = "list",
      description = "Lists pins.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  braid pin list --json")
  int list(@Mixin DatabaseOptions database, @Mixin OutputOptions output) {
    try (Braid db = database.openExisting()) {
      List<Pin> pins = List.copyOf(db.transactions().pins());
      pins.forEach(pin -> print(output, pin));
      if (pins.isEmpty()) {
        output.nothing("there are no pins.");
      }
      return ExitCode.DONE;
    }
  }

  @Command(
      name = "drop",
      description = "Removes a pin.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  braid pin drop before-release")
  int drop(
      @Parameters(paramLabel = "NAME", description = "The name of the pin.") String name,
      @Mixin DatabaseOptions database,
      @Mixin OutputOptions output) {
    try (Braid db = database.openExisting()) {
      return output.removed("pin", name, db.transactions().unpin(name));
    }
  }

  private static void print(OutputOptions output, Pin pin) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("pin", pin.name());
    object.put("timestamp", OutputOptions.timestamp(pin.timestamp()));
    object.put("time", Timestamp.instant(pin.timestamp()).toString());
    output.print(
        object, pin.name() + "  " + pin.timestamp() + "  " + Timestamp.toText(pin.timestamp()));
  }
}
