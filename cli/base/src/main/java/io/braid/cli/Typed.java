package io.braid.cli;

import io.braid.cli.command.UsageException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * The words of a command as they were typed. Java reads them by the locale, which cron, systemd and
 * containers do not set: then every letter beyond ASCII becomes the same character, and different
 * keys become one. Bytes that were typed are bytes that are stored, or the command is refused.
 */
final class Typed {
  private static final char REPLACEMENT = '\uFFFD';

  private Typed() {}

  /**
   * Writes UTF-8 from now on, whatever the locale.
   *
   * @return the stream that results go through
   */
  static NotedOutput writeUtf8() {
    NotedOutput out = new NotedOutput(new FileOutputStream(FileDescriptor.out));
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    System.setErr(
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
    return out;
  }

  /** The charset by which the JVM has read words and names of files. */
  static Charset ofWords() {
    return Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
  }

  /**
   * Refuses words that the JVM may not have read as they were typed. In a locale that is not UTF-8,
   * these are all words with letters beyond ASCII: even where they can be told apart, names of
   * files would differ.
   *
   * @param by the charset by which the JVM has read them
   * @throws UsageException when there is such a word
   */
  static void requireRead(String[] words, Charset by) {
    for (int i = 0; i < words.length; i++) {
      boolean read =
          by.equals(StandardCharsets.UTF_8)
              ? words[i].indexOf(REPLACEMENT) < 0
                  && StandardCharsets.UTF_8.newEncoder().canEncode(words[i])
              : words[i].chars().allMatch(c -> c < 0x80);
      if (!read) {
        throw new UsageException(
            "Word "
                + (i + 1)
                + " of the command, '"
                + words[i]
                + "', is not UTF-8, or the locale ("
                + by
                + ") cannot hold it. Set LC_ALL=C.UTF-8, or write \\xNN for each byte of a key that"
                + " is no text.");
      }
    }
  }
}
