package io.braid.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The table of faults in {@code docs/simulation.md} says what is simulated. */
class FaultRatesTest {
  private static final Path PAGE = Path.of("../../docs/simulation.md");
  private static final String BEGIN =
      "<!-- made by FaultRatesTest; -Dbraid.rewrite writes it anew -->\n";
  private static final String END = "<!-- end -->\n";

  @Test
  void pageHasEveryFaultWithItsRate() throws IOException {
    String page = Files.readString(PAGE);
    int begin = page.indexOf(BEGIN) + BEGIN.length();
    String expected = page.substring(0, begin) + table() + page.substring(page.indexOf(END));
    if (System.getProperty("braid.rewrite") != null) {
      Files.writeString(PAGE, expected);
    }
    assertThat(Files.readString(PAGE))
        .as("Write it anew with: mvn test -pl lab/simulation -am -Dbraid.rewrite")
        .isEqualTo(expected);
  }

  private static String table() {
    StringBuilder table = new StringBuilder("| fault | what it is | for each | at most |\n");
    table.append("|---|---|---|---:|\n");
    for (Fault fault : Fault.values()) {
      table.append(
          String.format(
              Locale.ROOT,
              "| %s | %s | %s | %s %% |\n",
              fault.text(),
              fault.meaning(),
              fault.occasion(),
              percent(fault)));
    }
    return table.toString();
  }

  private static String percent(Fault fault) {
    String text = String.format(Locale.ROOT, "%.2f", fault.worst() * 100);
    return text.replaceFirst("\\.?0+$", "");
  }
}
