package io.braid.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/faults.md names the tests of each scenario, and every scenario has some. */
class FaultsPageTest {
  private static final Path PAGE = SourceFiles.ROOT.resolve("docs/faults.md");
  private static final Pattern MENTION =
      Pattern.compile("Faults? (\\d+)(?:(?:-| to )(\\d+)|((?:(?:,| and) \\d+)+))?");
  private static final Pattern NUMBER = Pattern.compile("\\d+");
  private static final Pattern ROW = Pattern.compile("\\| (\\d+) \\| ([^|]+) \\|[^|]*\\|");

  @Test
  void thePageNamesTheTestsOfEachScenario() throws IOException {
    Map<Integer, TreeSet<String>> tests = testsByFault();
    String page = Files.readString(PAGE);
    StringBuilder fresh = new StringBuilder();
    TreeSet<Integer> rows = new TreeSet<>();
    for (String line : page.lines().toList()) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        int number = Integer.parseInt(row.group(1));
        rows.add(number);
        TreeSet<String> names = tests.getOrDefault(number, new TreeSet<>());
        assertThat(names).as("tests of scenario " + number).isNotEmpty();
        fresh.append(
            "| " + number + " | " + row.group(2) + " | " + String.join(", ", names) + " |");
      } else {
        fresh.append(line);
      }
      fresh.append('\n');
    }
    if (Boolean.getBoolean("golden.rewrite")) {
      Files.writeString(PAGE, fresh);
      page = fresh.toString();
    }
    assertThat(rows).as("scenarios that tests mention").containsAll(tests.keySet());
    assertThat(page).isEqualTo(fresh.toString());
  }

  private static Map<Integer, TreeSet<String>> testsByFault() throws IOException {
    Map<Integer, TreeSet<String>> tests = new TreeMap<>();
    for (Path file : SourceFiles.endingWith(".java")) {
      String name = file.getFileName().toString().replace(".java", "");
      Matcher mention = MENTION.matcher(Files.readString(file).replaceAll("\\s*\\n\\s*\\* ", " "));
      while (isTest(file) && mention.find()) {
        numbers(mention).forEach(n -> tests.computeIfAbsent(n, k -> new TreeSet<>()).add(name));
      }
    }
    return tests;
  }

  private static TreeSet<Integer> numbers(Matcher mention) {
    TreeSet<Integer> numbers = new TreeSet<>();
    int first = Integer.parseInt(mention.group(1));
    int last = mention.group(2) == null ? first : Integer.parseInt(mention.group(2));
    for (int n = first; n <= last; n++) {
      numbers.add(n);
    }
    if (mention.group(3) != null) {
      NUMBER
          .matcher(mention.group(3))
          .results()
          .forEach(r -> numbers.add(Integer.valueOf(r.group())));
    }
    return numbers;
  }

  private static boolean isTest(Path file) {
    String path = file.toString().replace('\\', '/');
    return !path.endsWith("FaultsPageTest.java")
        && (path.contains("/src/test/java/") || path.contains("/testkit/src/main/java/"));
  }
}
