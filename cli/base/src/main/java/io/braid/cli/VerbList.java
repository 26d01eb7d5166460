package io.braid.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.CommandSpec;

/** The verbs by what people want, each with its first sentence; the rest is in its own help. */
final class VerbList implements IHelpSectionRenderer {
  private static final int NAMES = 24;

  /** Verbs of the laboratory: a checkout has them, where {@code ./braid} finds them. */
  static final List<String> LAB = List.of("simulate", "scopes", "model", "soak", "campaign");

  private static final String LAB_IS_ELSEWHERE =
      "\nTest it for long, in a checkout of the sources ('braid help VERB'):\n  %s, bench\n";

  /** The tasks of users, and the verbs for each task. */
  static final Map<String, List<String>> GROUPS = groups();

  private static Map<String, List<String>> groups() {
    Map<String, List<String>> all = new LinkedHashMap<>();
    all.put("See it", List.of("demo", "index", "query"));
    all.put(
        "Tables, rows, transactions", List.of("table", "get", "set", "delete", "scan", "shell"));
    all.put("Observers and key groups", List.of("observers", "worker", "group", "group-node"));
    all.put("Much at once", List.of("load", "job", "export", "validate", "changes", "migrate"));
    all.put("Served stores", List.of("store", "serve", "cluster", "rebalance"));
    all.put("A server", List.of("server", "top", "token"));
    all.put("Look after it", List.of("backup", "restore", "pin", "gc", "txn", "outcome", "raw"));
    all.put("Trust it", List.of("workload", "check"));
    all.put("Test it for long", LAB);
    return all;
  }

  static final String OTHERS = "Besides";

  @Override
  public String render(Help help) {
    CommandSpec spec = help.commandSpec();
    Map<String, CommandLine> left = new TreeMap<>(spec.subcommands());
    StringBuilder text = new StringBuilder();
    GROUPS.forEach(
        (title, verbs) -> {
          boolean elsewhere = verbs.equals(LAB) && !left.keySet().containsAll(LAB);
          text.append(
              elsewhere
                  ? LAB_IS_ELSEWHERE.formatted(String.join(", ", LAB))
                  : section(help, title, verbs, left));
          left.keySet().removeAll(verbs);
        });
    return text.append(section(help, OTHERS, List.copyOf(left.keySet()), left)).toString();
  }

  private static String section(
      Help help, String title, List<String> verbs, Map<String, CommandLine> all) {
    int width = help.commandSpec().usageMessage().width();
    TextTable table =
        TextTable.forColumns(
            help.colorScheme(),
            new Column(NAMES, 2, Column.Overflow.SPAN),
            new Column(width - NAMES, 2, Column.Overflow.WRAP));
    for (String verb : verbs) {
      CommandLine command = all.get(verb);
      table.addRowValues(
          help.colorScheme().commandText(verb),
          help.colorScheme()
              .text(
                  command == null
                      ? ""
                      : HelpLayout.together(firstSentence(command).formatted().strip())));
    }
    return "\n" + title + ":\n" + table;
  }

  private static String firstSentence(CommandLine command) {
    String all =
        List.of(command.getCommandSpec().usageMessage().description()).stream()
            .collect(Collectors.joining(" "));
    int end = all.indexOf(". ");
    return end < 0 ? all : all.substring(0, end + 1);
  }
}
