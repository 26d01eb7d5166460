package io.braid.cli.shell;

import java.util.List;

/**
 * Something that can be done at the prompt.
 *
 * @param usage the words that follow, as help shows them
 * @param least how many words it needs
 * @param most how many it takes
 * @param words what each of them is, for completion; the last one repeats
 */
record Verb(
    String name,
    String usage,
    String description,
    int least,
    int most,
    List<Word> words,
    Action action) {
  static final int ANY = Integer.MAX_VALUE;

  /** The meaning of a word. */
  enum Word {
    TABLE,
    ROW,
    COLUMN,
    FAMILY,
    VALUE,
    VERB,
    MOMENT,
    PIN
  }

  /** Does it. */
  interface Action {
    void run(Session session, Statement statement);
  }

  /**
   * @throws IllegalArgumentException when words are missing or too many
   */
  void run(Session session, Statement statement) {
    int n = statement.words().size();
    if (n < least || n > most) {
      throw new IllegalArgumentException("Write: " + name + " " + usage);
    }
    action.run(session, statement);
  }
}
