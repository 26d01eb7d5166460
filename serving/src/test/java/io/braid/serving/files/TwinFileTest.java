package io.braid.serving.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fault 49: a file that changes in place is at any moment what it was before or after a change. */
class TwinFileTest {
  @TempDir Path directory;

  @Test
  void whatWasWrittenLastIsRead() throws IOException {
    TwinFile file = new TwinFile(directory.resolve("f"));
    assertThatThrownBy(file::read).isInstanceOf(NoSuchFileException.class);
    for (int i = 0; i < 10; i++) {
      file.write("line " + i);
      assertThat(file.read()).contains("line " + i);
    }
    file.write("x".repeat(3 * TwinFile.ROOM));
    assertThat(file.read()).hasValueSatisfying(line -> assertThat(line).startsWith("xxx"));
    file.write("short");
    assertThat(file.read()).contains("short");
  }

  /**
   * A crash amid a change: of one copy, whichever it was, only the first bytes are the new ones.
   */
  @Test
  void halfAChangeIsNoneAndTheNextOneSucceeds() throws IOException {
    Path path = directory.resolve("f");
    TwinFile file = new TwinFile(path);
    file.write("before");
    byte[] before = Files.readAllBytes(path);
    file.write("after!");
    byte[] after = Files.readAllBytes(path);
    int room = before.length / 2;
    for (int copy = 0; copy < 2; copy++) {
      for (int cut = 0; cut < 120; cut++) {
        byte[] torn = before.clone();
        System.arraycopy(after, copy * room, torn, copy * room, cut);
        Files.write(path, torn);
        assertThat(file.read().orElseThrow()).isIn("before", "after!");
        torn = after.clone();
        System.arraycopy(before, copy * room + cut, torn, copy * room + cut, room - cut);
        Files.write(path, torn);
        assertThat(file.read()).contains("after!");
        file.write("next");
        assertThat(file.read()).contains("next");
      }
    }
  }

  /** Of the change before only the copy that led is known to be on disk. */
  @Test
  void aChangeBeginsWithTheCopyThatIsNotTheDurableOne() {
    for (long number = 2; number < 9; number++) {
      assertThat(TwinFile.firstLeads(number, true, true))
          .isNotEqualTo(TwinFile.firstLeads(number - 1, true, true));
      assertThat(TwinFile.firstLeads(number, true, false)).isFalse();
      assertThat(TwinFile.firstLeads(number, false, true)).isTrue();
    }
  }

  @Test
  void aFlippedBitIsMadeUpForByTheOtherCopyAndMended() throws IOException {
    Path path = directory.resolve("f");
    TwinFile file = new TwinFile(path);
    file.write("one");
    file.write("two");
    byte[] right = Files.readAllBytes(path);
    for (int copy = 0; copy < 2; copy++) {
      for (int bit = 0; bit < 80 * 8; bit++) {
        byte[] wrong = right.clone();
        wrong[copy * right.length / 2 + bit / 8] ^= (byte) (1 << bit % 8);
        Files.write(path, wrong);
        assertThat(file.read()).as("bit %d", bit).contains("two");
      }
      file.write("two");
      byte[] mended = Files.readAllBytes(path);
      int half = mended.length / 2;
      assertThat(Arrays.mismatch(mended, 0, half, mended, half, 2 * half)).isEqualTo(-1);
    }
  }

  /** Fault 61: a copy that is sealed and yet none of this file's does not count. */
  @Test
  void aCopyWithoutANumberIsNone() throws IOException {
    Path path = directory.resolve("f");
    TwinFile file = new TwinFile(path);
    file.write("one");
    byte[] bytes = Files.readAllBytes(path);
    byte[] strange = SealedLine.encode("no number");
    System.arraycopy(strange, 0, bytes, 0, strange.length);
    Files.write(path, bytes);
    assertThat(file.read()).contains("one");
    System.arraycopy(strange, 0, bytes, bytes.length / 2, strange.length);
    Files.write(path, bytes);
    assertThat(file.read()).isEmpty();
  }

  @Test
  void whenNeitherCopyIsWholeThereIsNoLine() throws IOException {
    Path path = directory.resolve("f");
    TwinFile file = new TwinFile(path);
    file.write("one");
    byte[] wrong = Files.readAllBytes(path);
    wrong[3] ^= 1;
    wrong[wrong.length / 2 + 3] ^= 1;
    Files.write(path, wrong);
    assertThat(file.read()).isEmpty();
    Files.write(path, new byte[0]);
    assertThat(file.read()).isEmpty();
  }
}
