package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;

/** Help is what somebody new has in hand: all of it is there, and can be copied. */
class HelpTextsTest {
  private static final int WIDTH = 80;

  @Test
  void everyOptionAndParameterIsDescribed() {
    for (CommandLine each : all(Main.commandLine())) {
      List<ArgSpec> arguments = new ArrayList<>(each.getCommandSpec().options());
      arguments.addAll(each.getCommandSpec().positionalParameters());
      for (ArgSpec argument : arguments) {
        assertThat(String.join(" ", argument.description()))
            .as("%s %s", name(each), argument)
            .isNotBlank();
        if (!argument.typeInfo().isBoolean()) {
          assertThat(argument.paramLabel()).as(name(each)).doesNotContain("<");
        }
      }
    }
  }

  /**
   * Each line of a description is wrapped by itself: one that is half a sentence would be ragged.
   */
  @Test
  void everyLineOfADescriptionIsWhole() {
    for (CommandLine each : all(Main.commandLine())) {
      assertThat(each.getCommandSpec().usageMessage().description())
          .as(name(each))
          .allMatch(line -> line.isBlank() || line.matches("(?s) .*|.*[.?:;)]"));
    }
  }

  @Test
  void everyVerbHasExamples() {
    for (CommandLine each : all(Main.commandLine())) {
      assertThat(each.getUsageMessage()).as(name(each)).contains("Examples:\n  ");
    }
  }

  @Test
  void whatIsFormattedCanBe() {
    for (CommandLine each : all(Main.commandLine())) {
      UsageMessageSpec usage = each.getCommandSpec().usageMessage();
      List<String> texts = new ArrayList<>(List.of(usage.description()));
      texts.addAll(List.of(usage.footer()));
      each.getCommandSpec().options().forEach(option -> texts.addAll(written(option)));
      for (String text : texts) {
        assertThatCode(() -> text.formatted())
            .as(name(each) + ": " + text)
            .doesNotThrowAnyException();
      }
      assertThat(each.getUsageMessage()).as(name(each)).doesNotContain("%n").doesNotContain("%%");
    }
  }

  @Test
  void noLineBreaksWithinAWord() {
    for (CommandLine each : all(Main.commandLine())) {
      String help = each.getUsageMessage();
      for (String word : List.of(".gz", ".txt", "gc.keep", "//HOST:PORT", "players:")) {
        String begin = word.substring(0, word.indexOf(word.contains(":") ? ':' : '.') + 1);
        String end = word.substring(begin.length());
        assertThat(help)
            .as(name(each))
            .doesNotContainPattern("\\Q" + begin + "\\E\n *\\Q" + end + "\\E");
      }
      assertThat(help.lines().takeWhile(line -> !line.equals("Examples:")))
          .as(name(each))
          .allMatch(line -> line.length() <= WIDTH);
    }
  }

  @Test
  void onlyTheFirstPageListsTheVerbs() {
    CommandLine braid = Main.commandLine();
    for (CommandLine each : all(braid)) {
      assertThat(each.getUsageMessage().contains("\nSee it:\n"))
          .as(name(each))
          .isEqualTo(each == braid);
      assertThat(each.getUsageMessage().contains("\nCommands:\n"))
          .as(name(each))
          .isEqualTo(each != braid && !each.getSubcommands().isEmpty());
    }
  }

  @Test
  void examplesAreOneLineEach() {
    String help =
        Objects.requireNonNull(Main.commandLine().getSubcommands().get("workload"))
            .getUsageMessage();
    assertThat(help)
        .contains(
            "\n  braid workload append --clients 8 --txns 20000 --keys 100 --out h.jsonl --kill-every 2s\n");
  }

  /** As it stands in the code, before anything is formatted. */
  private static List<String> written(OptionSpec option) {
    return option.userObject() instanceof AnnotatedElement element
            && element.getAnnotation(Option.class) != null
        ? List.of(element.getAnnotation(Option.class).description())
        : List.of();
  }

  private static String name(CommandLine command) {
    return command.getCommandSpec().qualifiedName();
  }

  private static List<CommandLine> all(CommandLine command) {
    List<CommandLine> all = new ArrayList<>();
    boolean own = !(command.getCommand() instanceof AutoComplete.GenerateCompletion);
    if (own) {
      all.add(command);
      command.getSubcommands().values().forEach(each -> all.addAll(all(each)));
    }
    return all;
  }
}
