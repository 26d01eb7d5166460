package io.braid.gateway.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import org.junit.jupiter.api.Test;

/** The settings of a server, and those of a database, which it takes as well. */
class ServerSettingTest {
  @Test
  void everySettingIsToldAsItIsBesideItsConstant() throws IOException {
    told("src/main/java/io/braid/gateway/node/ServerSetting.java", ServerSetting.all());
    told("../../library/src/main/java/io/braid/Setting.java", Setting.all());
  }

  private static void told(String file, Collection<? extends Setting<?>> settings)
      throws IOException {
    String source = Files.readString(Path.of(file)).replaceAll("\\s*\\n\\s*(?:\\* )?", " ");
    assertThat(settings).isNotEmpty();
    for (Setting<?> setting : settings) {
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
