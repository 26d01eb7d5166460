package io.braid.cli.shell;

import io.braid.cli.command.UsageException;
import io.braid.cli.shell.Verb.Word;
import io.braid.text.NearestWord;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All verbs of the prompt. */
final class Verbs {
  private final Map<String, Verb> verbs = new TreeMap<>();

  Verbs() {
    Stream.of(DataVerbs.all(), TransactionVerbs.all(), TableVerbs.all())
        .flatMap(Collection::stream)
        .forEach(verb -> verbs.put(verb.name(), verb));
    verbs.put(
        "help",
        new Verb("help", "[VERB]", "Shows the verbs.", 0, 1, List.of(Word.VERB), this::help));
    verbs.put(
        "quit", new Verb("quit", "", "Ends the session.", 0, 0, List.of(), (session, words) -> {}));
  }

  Collection<Verb> all() {
    return verbs.values();
  }

  @Nullable Verb named(String name) {
    return verbs.get(name);
  }

  static boolean ends(Statement statement) {
    return statement.verb().equals("quit") || statement.verb().equals("exit");
  }

  /** Runs a line; an empty one does nothing. */
  void run(Session session, Statement statement) {
    if (statement.verb().isEmpty() || ends(statement)) {
      return;
    }
    Verb verb = verbs.get(statement.verb());
    if (verb == null) {
      throw new UsageException(
          "There is no verb '"
              + statement.verb()
              + "'."
              + NearestWord.hint(statement.verb(), verbs.keySet())
              + " There are: "
              + String.join(", ", verbs.keySet())
              + ".");
    }
    verb.run(session, statement);
  }

  private void help(Session session, Statement statement) {
    List<List<String>> lines =
        verbs.values().stream()
            .filter(
                verb -> statement.words().isEmpty() || verb.name().equals(statement.words().get(0)))
            .map(verb -> List.of((verb.name() + " " + verb.usage()).strip(), verb.description()))
            .toList();
    if (lines.isEmpty()) {
      throw new UsageException("There is no verb '" + statement.words().get(0) + "'.");
    }
    session.view().listing(List.of("statement", "what it does"), lines);
  }
}
