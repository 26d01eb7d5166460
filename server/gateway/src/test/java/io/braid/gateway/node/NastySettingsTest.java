package io.braid.gateway.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.ConfigurationException;
import io.braid.Setting;
import io.braid.testkit.hostile.NastyValues;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nasty values for every setting, of a server and of a database, and nasty lines in their file:
 * they are taken, or refused by a text that names the setting, before anything is opened.
 */
class NastySettingsTest {
  private static final Pattern DEFECT = Pattern.compile("Exception|java\\.|io\\.braid\\.|\\tat ");

  @TempDir Path dir;
  private final List<String> wrong = new ArrayList<>();

  @Test
  void everySettingTakesOrRefusesWhateverIsGiven() {
    List<Setting<?>> all = new ArrayList<>(ServerSetting.all());
    all.addAll(Setting.all());
    for (Setting<?> setting : all) {
      for (String text : NastyValues.texts()) {
        load(setting.key(), Optional.empty(), Map.of(setting.key(), text), text);
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void everyLineOfAFileIsTakenOrRefused() throws Exception {
    Path file = dir.resolve("braid.conf");
    for (String text : NastyValues.texts()) {
      for (String line : List.of(text, "limits.key = " + text, text + " = 1", "gc.keep=" + text)) {
        Files.write(file, line.getBytes(StandardCharsets.UTF_8));
        load("", Optional.of(file), Map.of(), text);
      }
    }
    for (byte[] bytes : NastyValues.bytes()) {
      Files.write(file, bytes);
      load("", Optional.of(file), Map.of(), "bytes");
    }
    assertThat(wrong).isEmpty();
  }

  private void load(String named, Optional<Path> file, Map<String, String> set, String text) {
    String what = named + " = '" + text.substring(0, Math.min(40, text.length())) + "': ";
    try {
      NodeConfig.load(file, set);
    } catch (ConfigurationException e) {
      String told = String.valueOf(e.getMessage());
      if (!told.contains(named) || DEFECT.matcher(told.replace(text, "")).find()) {
        wrong.add(what + told);
      }
    } catch (RuntimeException e) {
      wrong.add(what + e);
    }
  }
}
