package io.braid.groups.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Lives that anybody may make up take no memory, and do not displace those in use. */
class SendersTest {
  @Test
  void madeUpLivesAreForgottenAndThoseInUseAreNot() {
    Senders senders = new Senders();
    assertThat(senders.of(-7).isNew(3)).isTrue();
    for (long life = 0; life < 3L * Senders.MOST; life++) {
      senders.of(life);
      if (life % 1000 == 0) {
        assertThat(senders.of(-7).isNew(3)).isFalse();
      }
    }
    assertThat(senders.size()).isEqualTo(Senders.MOST);
    assertThat(senders.of(-7).isNew(4)).isTrue();
  }
}
