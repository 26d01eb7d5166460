package io.braid.cli.stores;

import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.core.failure.ErrorCode;
import io.braid.serving.build.Manifest;
import io.braid.serving.node.VersionInfo;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Texts of verbs about versions. */
final class StoreText {
  private StoreText() {}

  /** Returns the exit code of a verb that has sent a topology to nodes. */
  static int missed(OutputOptions output, List<String> missed) {
    if (missed.isEmpty()) {
      return ExitCode.DONE;
    }
    output.refused(
        ErrorCode.UNAVAILABLE,
        missed + " could not be told: run 'braid cluster tell' when they can.");
    return ExitCode.UNAVAILABLE;
  }

  static void live(OutputOptions output, String store, long version, double millis, String what) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("store", store);
    object.put("live", version);
    object.put("millis", millis);
    output.print(
        object,
        String.format(
            Locale.ROOT, "%s version %d of %s in %.1f ms.", what, version, store, millis));
  }

  /** Returns the state of a version, and why it was rolled back. */
  static String state(String state, String problem) {
    return state.equals(VersionInfo.State.ROLLED_BACK.text())
        ? "rolled back (" + problem + ")"
        : state;
  }

  static void print(OutputOptions output, VersionInfo info) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("version", info.version());
    object.put("state", info.state().text());
    object.put("pinned", info.pinned());
    Manifest manifest = info.manifest();
    if (manifest != null) {
      object.put("keys", manifest.keys());
      object.put("bytes", manifest.bytes());
      manifest.snapshot().ifPresent(at -> object.put("snapshot", OutputOptions.timestamp(at)));
      object.put("checksum", manifest.checksum());
    }
    if (!info.problem().isEmpty()) {
      object.put("problem", info.problem());
    }
    output.print(
        object,
        String.format(
            Locale.ROOT,
            "%d  %s%s  %s",
            info.version(),
            state(info.state().text(), info.problem()),
            info.pinned() ? ", pinned" : "",
            manifest == null
                ? info.problem()
                : String.format(
                    Locale.ROOT, "%,d keys  %,d bytes", manifest.keys(), manifest.bytes())));
  }
}
