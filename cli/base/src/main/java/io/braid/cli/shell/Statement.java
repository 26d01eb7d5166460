package io.braid.cli.shell;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jline.reader.Parser.ParseContext;
import org.jline.reader.impl.DefaultParser;

/**
 * A line at the prompt: a verb, its words, and how it was narrowed down.
 *
 * @param verb in small letters; empty when the line says nothing
 * @param when of "as of WHEN" at the end
 * @param limit of "limit N" at the end; 0: none
 */
record Statement(String verb, List<String> words, Optional<String> when, long limit) {
  private static final long MOST = 1_000_000;

  /** How lines are cut into words: quotes keep blanks together, a backslash is a backslash. */
  static DefaultParser parser() {
    DefaultParser parser = new DefaultParser();
    parser.setEscapeChars(null);
    parser.setEofOnUnclosedQuote(true);
    return parser;
  }

  /**
   * @throws IllegalArgumentException when it is no statement
   * @throws org.jline.reader.EOFError when a quote is not closed
   */
  static Statement parse(String line) {
    if (line.isBlank() || line.strip().startsWith("#")) {
      return new Statement("", List.of(), Optional.empty(), 0);
    }
    String typed = line.strip();
    return of(parser().parse(typed, typed.length(), ParseContext.ACCEPT_LINE).words());
  }

  private static Statement of(List<String> typed) {
    List<String> words = typed.subList(1, typed.size());
    Optional<String> when = Optional.empty();
    long limit = 0;
    boolean more = true;
    while (more) {
      int n = words.size();
      if (n >= 2 && words.get(n - 2).equalsIgnoreCase("limit")) {
        limit = limit(words.get(n - 1));
        words = words.subList(0, n - 2);
      } else if (n >= 3
          && words.get(n - 3).equalsIgnoreCase("as")
          && words.get(n - 2).equalsIgnoreCase("of")) {
        when = Optional.of(words.get(n - 1));
        words = words.subList(0, n - 3);
      } else {
        more = false;
      }
    }
    return new Statement(typed.get(0).toLowerCase(Locale.ROOT), words, when, limit);
  }

  private static long limit(String text) {
    if (!text.matches("[0-9]{1,9}") || Long.parseLong(text) < 1 || Long.parseLong(text) > MOST) {
      throw new IllegalArgumentException("'limit' takes a number from 1 to " + MOST + ".");
    }
    return Long.parseLong(text);
  }
}
