package io.braid.testkit.hostile;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Inputs that have broken something before, or might: for every parameter of every way in. Nothing
 * may hang, fail as a defect, or change what was not named.
 */
public final class NastyValues {
  private static final int LONG = 70_000;
  private static final int DEEP = 200;

  private NastyValues() {}

  /** Texts: names, keys, times, numbers and sizes that are none, or are at their edges. */
  public static List<String> texts() {
    List<String> all = new ArrayList<>(List.of("", " ", ".", "..", "../..", "/", "//", "\\", "~"));
    // Bytes and letters.
    all.addAll(List.of("\u0000", "a\u0000b", "\n", "\r\n", "\t", "\u007f", "\u0080", "\u00fc"));
    all.addAll(List.of("\ufeff", "\uffff", "\u202eabc", "\ud83d\ude00", "\ud800", "\udc00x"));
    all.addAll(List.of("\\x00", "\\xff", "\\xzz", "\\x", "%00", "%zz", "%", "${x}", "{}", "[]"));
    all.addAll(List.of("'", "\"", "'; drop", "<script>", "--", "-", "-x", "@file", "*", "?", "#"));
    // Names that mean something.
    all.addAll(List.of("null", "true", "NaN", "Infinity", "~system", "~group", "engine/x", "gone"));
    all.addAll(List.of(":", "f:", ":q", "f:q:r", "f:\u0000", "con", "LOCK", ".tmp"));
    // Numbers, as text.
    all.addAll(List.of("0", "-0", "-1", "1.5", "1e3", "1e400", "0x10", "+1", "1_000", "01", " 1"));
    all.addAll(List.of("2147483647", "2147483648", "9223372036854775807", "9223372036854775808"));
    all.addAll(List.of("-9223372036854775808", "99999999999999999999", "\u0663"));
    // Times, amounts and durations.
    all.addAll(List.of("1970-01-01T00:00:00Z", "2027-02-30T00:00:00Z", "2089-07-01T00:00:00Z"));
    all.addAll(List.of("+999999999-12-31T23:59:59Z", "0 s", "-1 s", "1e9 days", "9999999999999 h"));
    all.addAll(List.of("10 minutes ago", "0 MiB", "99999999999 GiB", "1000000 %"));
    all.add("x".repeat(LONG));
    return List.copyOf(all);
  }

  /** Whole numbers at the edges of what fits. */
  public static List<Long> numbers() {
    return List.of(
        0L,
        1L,
        -1L,
        255L,
        65_536L,
        (long) Integer.MAX_VALUE,
        Integer.MAX_VALUE + 1L,
        (1L << 53) + 1,
        (1L << 61) + 1,
        Long.MAX_VALUE,
        Long.MIN_VALUE);
  }

  /** Rows of bytes, of which some are no text. */
  public static List<byte[]> bytes() {
    List<byte[]> all = new ArrayList<>();
    all.add(new byte[0]);
    all.add(new byte[] {0});
    all.add(new byte[] {(byte) 0xff});
    all.add(new byte[] {(byte) 0xc0, (byte) 0x80});
    all.add(new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80});
    all.add("x".repeat(LONG).getBytes(StandardCharsets.UTF_8));
    return all;
  }

  /** Values of JSON, as text: of every kind, and what is hardly one. */
  public static List<String> json() {
    List<String> all =
        new ArrayList<>(List.of("null", "true", "false", "{}", "[]", "[[]]", "[{}]"));
    all.addAll(List.of("0", "-1", "1.5", "1e3", "1e400", "-0", "9223372036854775808"));
    all.addAll(List.of("99999999999999999999999999", "[null]", "[1]", "{\"\":1}", "\"\\ud800\""));
    all.addAll(List.of("{\"base64\":\"?\"}", "{\"base64\":1}", "{\"base64\":\"\"}"));
    all.add("[".repeat(DEEP) + "]".repeat(DEEP));
    all.add("[" + "1,".repeat(20_000) + "1]");
    return List.copyOf(all);
  }
}
