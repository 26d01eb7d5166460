package io.braid;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ConfigurationPageTest {
  @Test
  void everySettingStandsInTheDocumentationAsItIs() throws IOException {
    String page = Files.readString(Path.of("../docs/configuration.md"));
    for (Setting<?> setting : Setting.all()) {
      assertThat(page)
          .contains(
              "| `"
                  + setting.key()
                  + "` | "
                  + setting.defaultText()
                  + " | "
                  + setting.description()
                  + " |");
    }
  }
}
