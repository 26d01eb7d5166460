package io.braid.cli;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Help.ColorScheme;
import picocli.CommandLine.Help.IOptionRenderer;
import picocli.CommandLine.Help.IParameterRenderer;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * How help is laid out: lines break at blanks alone, and examples do not break at all, so that they
 * can be copied. Left alone, the JVM's rules for prose break {@code gc.keep}, {@code .gz} and
 * addresses in two.
 */
final class HelpLayout extends Help {
  /**
   * Characters that lines would be broken after, and letters that replace them until lines are
   * broken.
   */
  private static final String BREAKS = ".:,/[";

  private static final String LETTERS = "\ua78b\ua78d\ua790\ua792\ua796";

  private HelpLayout(CommandSpec spec, ColorScheme colors) {
    super(spec, colors);
  }

  /** Lays out the help of a command and of all below it. */
  static void of(CommandLine command) {
    command.setHelpFactory(HelpLayout::new);
    // The map of this command; setHelpSectionMap would give it to all commands below.
    Map<String, IHelpSectionRenderer> sections = command.getHelpSectionMap();
    for (String each :
        List.of(
            UsageMessageSpec.SECTION_KEY_PARAMETER_LIST,
            UsageMessageSpec.SECTION_KEY_OPTION_LIST,
            UsageMessageSpec.SECTION_KEY_COMMAND_LIST)) {
      IHelpSectionRenderer before = Objects.requireNonNull(sections.get(each), each);
      sections.put(each, help -> apart(before.render(help)));
    }
    command.getSubcommands().values().forEach(HelpLayout::of);
  }

  /** Returns the text with letters in the place of characters that lines would be broken after. */
  static String together(String text) {
    StringBuilder whole = new StringBuilder(text);
    for (int i = 0; i + 1 < whole.length(); i++) {
      int which = BREAKS.indexOf(whole.charAt(i));
      if (which >= 0 && !Character.isWhitespace(whole.charAt(i + 1))) {
        whole.setCharAt(i, LETTERS.charAt(which));
      }
    }
    return whole.toString();
  }

  /** The text as it was before {@link #together}. */
  static String apart(String text) {
    String all = text;
    for (int i = 0; i < BREAKS.length(); i++) {
      all = all.replace(LETTERS.charAt(i), BREAKS.charAt(i));
    }
    return all;
  }

  @Override
  public String description(Object... params) {
    return lines(commandSpec().usageMessage().description(), true);
  }

  @Override
  public String footer(Object... params) {
    return lines(commandSpec().usageMessage().footer(), false);
  }

  @Override
  public IOptionRenderer createDefaultOptionRenderer() {
    IOptionRenderer plain = super.createDefaultOptionRenderer();
    return (option, labels, colors) -> together(plain.render(option, labels, colors), colors);
  }

  @Override
  public IParameterRenderer createDefaultParameterRenderer() {
    IParameterRenderer plain = super.createDefaultParameterRenderer();
    return (parameter, labels, colors) -> together(plain.render(parameter, labels, colors), colors);
  }

  private static Text[][] together(Text[][] rows, ColorScheme colors) {
    for (Text[] row : rows) {
      int last = row.length - 1;
      row[last] = colors.text(together(row[last].plainString()));
    }
    return rows;
  }

  private String lines(String[] texts, boolean wrapped) {
    int width = commandSpec().usageMessage().width();
    return Arrays.stream(texts)
        .map(text -> colorScheme().text(text.formatted()).toString())
        .map(text -> wrapped ? wrap(text, width) : text)
        .map(text -> text + "\n")
        .collect(Collectors.joining());
  }

  private static String wrap(String text, int width) {
    StringBuilder all = new StringBuilder();
    int length = 0;
    for (String word : text.split(" ")) {
      if (length > 0 && length + 1 + word.length() > width - 1) {
        all.append('\n');
        length = 0;
      } else if (!all.isEmpty()) {
        all.append(' ');
        length++;
      }
      all.append(word);
      length += word.length();
    }
    return all.toString();
  }
}
