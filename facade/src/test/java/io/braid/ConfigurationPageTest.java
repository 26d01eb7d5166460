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

  @Test
  void everySettingIsToldAsItIsBesideItsConstant() throws IOException {
    String source =
        Files.readString(Path.of("src/main/java/io/braid/Setting.java"))
            .replaceAll("\\s*\\n\\s*(?:\\* )?", " ");
    for (Setting<?> setting : Setting.all()) {
      String about = setting.description();
      assertThat(source)
          .contains(
              "{@code "
                  + setting.key()
                  + " = "
                  + setting.defaultText()
                  + "}: "
                  + Character.toLowerCase(about.charAt(0))
                  + about.substring(1));
    }
  }
}
