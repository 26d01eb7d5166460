package io.braid.core.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of others, and files that others may use. */
class OwnerOnlyTest {
  @TempDir Path directory;

  private Path file(String permissions) throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  private static String permissions(Path of) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(of));
  }

  @ParameterizedTest
  @ValueSource(strings = {"r--------", "rw-------", "rw-r-----"})
  void aKeyOfItsOwnerAndTheirGroupIsSecret(String permissions) throws IOException {
    Path file = file(permissions);
    assertThatCode(() -> OwnerOnly.requireSecret(file)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({"rw-r--r--,o-r", "rw-rw----,go-w", "rw-----w-,go-w"})
  void aKeyThatOthersMayUseIsRefusedWithTheCommandThatMendsIt(String permissions, String mend)
      throws IOException {
    Path file = file(permissions);
    assertThatThrownBy(() -> OwnerOnly.requireSecret(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'chmod " + mend + " " + file + "'");
  }

  @Test
  void aListThatOthersMayReadButNotChangeIsTaken() throws IOException {
    Path file = file("rw-r--r--");
    assertThatCode(() -> OwnerOnly.requireUnchangeable(file)).doesNotThrowAnyException();
  }

  @Test
  void newFilesAndDirectoriesBelongToTheirOwnerAlone() throws IOException {
    Path open = Files.createDirectory(directory.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path inner = open.resolve("outer/inner");
    DurableFiles.createPrivateDirectories(inner);
    Path file = inner.resolve("file");
    OwnerOnly.createFile(file);
    OwnerOnly.createFile(file);
    assertThat(permissions(open)).isEqualTo("rwxr-xr-x");
    assertThat(permissions(inner.getParent())).isEqualTo("rwx------");
    assertThat(permissions(inner)).isEqualTo("rwx------");
    assertThat(permissions(file)).isEqualTo("rw-------");
  }
}
