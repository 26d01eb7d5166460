package io.braid.serving.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.testkit.runtime.Clocks;
import io.braid.testkit.runtime.ManualSeams;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecentRefillsTest {
  @TempDir Path dir;
  private final ManualSeams seams = new ManualSeams(new Clocks(), "node");

  private RecentRefills started() throws IOException {
    return new RecentRefills(seams, dir);
  }

  private Path file(String store) {
    return dir.resolve(".refilled").resolve(store);
  }

  @Test
  void nothingIsMadeWithoutARefill() throws IOException {
    RecentRefills refills = started();
    refills.removeOld();
    assertThat(refills.stores()).isEmpty();
    assertThat(dir).isEmptyDirectory();
  }

  @Test
  void aStartBeginsTheTenMinutesAnewWhateverTheTimeOfDayIs() throws IOException {
    started().add("carts");
    seams.sleep(Duration.ofMinutes(9));
    seams.wallOffsetMillis = Duration.ofDays(1000).toMillis();
    RecentRefills refills = started();
    seams.sleep(Duration.ofMinutes(9));
    refills.removeOld();
    assertThat(refills.stores()).containsExactly("carts");
    assertThat(file("carts")).exists();

    seams.sleep(Duration.ofMinutes(2));
    assertThat(refills.stores()).isEmpty();
    assertThat(started().stores()).containsExactly("carts");
    refills.removeOld();
    assertThat(file("carts")).doesNotExist();
    assertThat(started().stores()).isEmpty();
  }

  @Test
  void aDamagedOrEmptyFileCountsAsThere() throws IOException {
    Files.createDirectories(file(""));
    Files.createFile(file("empty"));
    Files.write(file("damaged"), new byte[] {0, -1, 7});
    Files.createFile(file("unfinished.new"));
    assertThat(started().stores()).containsExactlyInAnyOrder("empty", "damaged");
  }

  @Test
  void eachStoreHasItsOwnTenMinutes() throws IOException {
    RecentRefills refills = started();
    refills.add("carts");
    seams.sleep(Duration.ofMinutes(6));
    refills.add("lists");
    seams.sleep(Duration.ofMinutes(6));
    refills.removeOld();
    assertThat(refills.stores()).containsExactly("lists");
    assertThat(started().stores()).containsExactly("lists");
    refills.add("lists");
    seams.sleep(Duration.ofMinutes(6));
    assertThat(refills.stores()).as("refilled again").containsExactly("lists");
  }
}
