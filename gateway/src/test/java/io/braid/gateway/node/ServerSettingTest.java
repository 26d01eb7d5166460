package io.braid.gateway.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ServerSettingTest {
  @Test
  void everySettingIsToldAsItIsBesideItsConstant() throws IOException {
    String source =
        Files.readString(Path.of("src/main/java/io/braid/gateway/node/ServerSetting.java"))
            .replaceAll("\\s*\\n\\s*(?:\\* )?", " ");
    for (Setting<?> setting : ServerSetting.all()) {
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
