package io.braid.server.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Advisory locks at the coordinator. */
class LockTableTest {
  private final LockTable table = new LockTable();
  private final Object session = new Object();
  private final Object other = new Object();

  @Test
  void aLockIsOfWhoTookItUntilItsSessionEnds() {
    assertThat(table.tryLock(session, "a", "me")).isTrue();
    assertThat(table.tryLock(other, "a", "you")).isFalse();
    table.unlock("a", "you");
    assertThat(table.tryLock(other, "a", "you")).isFalse();
    table.end(other);
    assertThat(table.tryLock(other, "a", "you")).isFalse();
    table.end(session);
    assertThat(table.tryLock(other, "a", "you")).isTrue();
    table.unlock("a", "you");
    assertThat(table.tryLock(session, "a", "me")).isTrue();
  }

  /** Fault 58: a name is as long as a message may be. */
  @Test
  void itsMemoryIsBounded() {
    String name = "x".repeat(1 << 20);
    int taken = 0;
    while (taken < 100 && table.tryLock(session, taken + name, "me")) {
      taken++;
    }
    assertThat(taken).isBetween(5, 8);
    assertThat(table.tryLock(other, "short", "you")).isTrue();
    table.unlock("0" + name, "me");
    assertThat(table.tryLock(other, "0" + name, "you")).isTrue();
    table.end(session);
    for (int i = 1; i < taken; i++) {
      assertThat(table.tryLock(other, i + name, "you")).isTrue();
    }
    assertThat(table.tryLock(other, taken + name, "you")).isFalse();
  }
}
