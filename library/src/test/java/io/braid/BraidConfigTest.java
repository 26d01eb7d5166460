package io.braid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.store.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BraidConfigTest {
  @TempDir Path dir;

  @Test
  void everyDefaultIsAValueOfItsSetting() {
    for (Setting<?> setting : Setting.all()) {
      assertThat(BraidConfig.defaults().get(setting)).as(setting.key()).isNotNull();
    }
  }

  @Test
  void aFileOverridesDefaults() throws IOException {
    Path file =
        Files.writeString(
            dir.resolve("c"),
            """
        # a remark
        store.memory = 2 GiB
        commit.durability = synced
        lock.ttl = 500 ms
        lock.heartbeat=100 ms
        """);

    BraidConfig config = BraidConfig.load(file);

    assertThat(config.get(Setting.STORE_MEMORY)).isEqualTo(2L << 30);
    assertThat(config.get(Setting.DURABILITY)).isEqualTo(Durability.SYNCED);
    assertThat(config.get(Setting.LOCK_TTL)).isEqualTo(Duration.ofMillis(500));
    assertThat(config.get(Setting.ONE_PHASE)).isEqualTo(Setting.OnePhase.STORE);
  }

  @Test
  void unknownKeysAreRefusedByName() throws IOException {
    Path file = Files.writeString(dir.resolve("c"), "store.memroy = 1 GiB\n");

    assertThatThrownBy(() -> BraidConfig.load(file))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("store.memroy")
        .hasMessageContaining("store.memory");
  }

  @ParameterizedTest
  @CsvSource({
    "store.memory, 512, MiB",
    "store.memory, 12 parsecs, unit",
    "lock.ttl, 10, time such as",
    "commit.durability, ordered, synced",
    "commit.one-phase, maybe, tablet",
    "observers.workers, 0, whole number",
    "store.memory, 999999999999999 GiB, too much",
    "store.memory, 1 KiB, 16 MiB",
    "limits.key, 100 GiB, 1 MiB",
    "lock.ttl, 99999999999 d, 1 d",
    "lock.ttl, -3 s, time such as"
  })
  void wrongValuesSayWhatIsTaken(String key, String value, String hint) {
    assertThatThrownBy(() -> BraidConfig.defaults().with(key, value))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(key)
        .hasMessageContaining(hint);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "just words",
        "store.memory = lots",
        "store.memroy = 1 GiB",
        "= 3",
        "# a remark\nlimits.key = 1 KiB\nlimits.key = 2 KiB"
      })
  void aWrongLineIsNamedByItsNumber(String lines) throws IOException {
    Path file = Files.writeString(dir.resolve("c"), lines + "\n");

    assertThatThrownBy(() -> BraidConfig.load(file))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(file + ", line " + lines.lines().count() + ": ");
  }

  @Test
  void valuesThatDoNotGoTogetherAreRefusedBeforeAnythingIsOpened() {
    BraidConfig config = BraidConfig.defaults().with(Setting.LOCK_HEARTBEAT, "6 s");

    assertThatThrownBy(() -> Braid.open(dir.resolve("data"), config))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("lock.ttl")
        .hasMessageContaining("lock.heartbeat");
    assertThat(dir.resolve("data")).doesNotExist();
  }

  @Test
  void aFileThatIsNoTextIsRefused() throws IOException {
    Path file = Files.write(dir.resolve("c"), new byte[] {'a', (byte) 0xFF, '='});

    assertThatThrownBy(() -> BraidConfig.load(file))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("UTF-8");
  }

  @Test
  void printsInTheFormThatItReads() throws IOException {
    BraidConfig config = BraidConfig.defaults().with(Setting.LOCK_TTL, "5 s");
    Path file = Files.writeString(dir.resolve("c"), config.toString());

    assertThat(BraidConfig.load(file).toString()).isEqualTo(config.toString());
  }
}
