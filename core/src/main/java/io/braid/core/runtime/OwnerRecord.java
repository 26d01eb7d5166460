package io.braid.core.runtime;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The content of an {@link OwnedFile}: the process that owns it. The first line is for people. The
 * lines after it consist of a name and a value. Unknown names are skipped.
 *
 * @param pid its number, in its own namespace
 * @param start when the process began, in ticks since the machine began; empty where unknown
 * @param place which processes it sees: those of one start of a machine, in one namespace of
 *     process ids; empty where unknown
 * @param token of this ownership alone
 */
record OwnerRecord(
    long pid, String start, String place, String user, String host, String file, String token) {
  static final int LONGEST = 4096;

  /** Always so long, so that it can be written over in place on a full disk. */
  private static final int LENGTH = 512;

  private static final String VERSION = "1";
  private static final Path PROC = Path.of("/proc");

  /** The place of the start time in {@code /proc/PID/stat}, behind the name of the program. */
  private static final int START_FIELD = 19;

  /** This process, about to own a file. */
  static OwnerRecord ofThisProcess(String fileKey) {
    long pid = ProcessHandle.current().pid();
    return new OwnerRecord(
        pid,
        startOf(pid),
        placeHere(),
        System.getProperty("user.name", ""),
        line(PROC.resolve("sys/kernel/hostname")),
        fileKey,
        UUID.randomUUID().toString());
  }

  private static String placeHere() {
    String boot = line(PROC.resolve("sys/kernel/random/boot_id"));
    try {
      Path space = Files.readSymbolicLink(PROC.resolve("self/ns/pid"));
      return boot.isEmpty() ? "" : boot + " " + space;
    } catch (IOException | RuntimeException e) {
      return "";
    }
  }

  private static String startOf(long pid) {
    String stat = line(PROC.resolve(pid + "/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
    return fields.length > START_FIELD ? fields[START_FIELD] : "";
  }

  private static String line(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1).strip();
    } catch (IOException | RuntimeException e) {
      return "";
    }
  }

  /** Returns whether the process that made {@code other} would see the process of this record. */
  boolean sees(OwnerRecord other) {
    return !place.isEmpty() && !start.isEmpty() && place.equals(other.place);
  }

  /** Returns whether the process runs; to be called by a process that {@link #sees} it. */
  boolean runs() {
    return start.equals(startOf(pid));
  }

  boolean isOfProcess(OwnerRecord other) {
    return pid == other.pid && start.equals(other.start);
  }

  String name(OwnerRecord asker) {
    return asker.sees(this) || host.isEmpty() ? "pid " + pid : "pid " + pid + " on " + host;
  }

  byte[] toBytes() {
    String text =
        String.join(
            "\n",
            "pid " + pid,
            "owner " + VERSION,
            "start " + start,
            "place " + place,
            "user " + user,
            "host " + host,
            "file " + file,
            "token " + token,
            "");
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    byte[] whole = Arrays.copyOf(bytes, Math.max(LENGTH, bytes.length));
    Arrays.fill(whole, bytes.length, whole.length, (byte) ' ');
    return whole;
  }

  /** Returns the content of a file without an owner. */
  static byte[] free() {
    byte[] spaces = new byte[LENGTH];
    Arrays.fill(spaces, (byte) ' ');
    return spaces;
  }

  /** Null when there is none, or only what an earlier release wrote, or garbage. */
  static @Nullable OwnerRecord parse(byte[] bytes) {
    Map<String, String> values = new HashMap<>();
    new String(bytes, StandardCharsets.UTF_8)
        .lines()
        .map(String::strip)
        .forEach(
            line -> {
              int space = line.indexOf(' ');
              values.putIfAbsent(
                  space < 0 ? line : line.substring(0, space),
                  space < 0 ? "" : line.substring(space + 1));
            });
    String pid = values.getOrDefault("pid", "");
    String token = values.getOrDefault("token", "");
    if (token.isEmpty() || !pid.matches("[0-9]{1,18}")) {
      return null;
    }
    return new OwnerRecord(
        Long.parseLong(pid),
        values.getOrDefault("start", ""),
        values.getOrDefault("place", ""),
        values.getOrDefault("user", ""),
        values.getOrDefault("host", ""),
        values.getOrDefault("file", ""),
        token);
  }
}
