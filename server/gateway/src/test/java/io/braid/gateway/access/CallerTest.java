package io.braid.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.http.HttpRefusal;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fault 57: without identities this machine is served, and only under its own names. */
class CallerTest {
  private final Access closed = new Access(null, false);

  private static Caller caller(String from, String host) {
    try {
      return new Caller(
          InetAddress.getByName(from), host, Optional.of("any token"), Optional.empty());
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"localhost", "localhost:7800", "127.0.0.1", "127.0.0.1:1", "127.9.8.7", "[::1]:1"})
  void thisMachineIsServed(String host) {
    assertThat(closed.of(caller("127.0.0.1", host))).isSameAs(Identity.LOCAL);
    assertThat(closed.of(caller("::1", host))).isSameAs(Identity.LOCAL);
  }

  /** A page may have bound its own name to this machine's address. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "evil.example:7800",
        "127.0.0.1.evil.example",
        "127.evil.example:80",
        "localhost.evil.example",
        "127.0.0",
        "10.0.0.1",
        "localhost:80:80",
        "",
        "null"
      })
  void otherNamesAreNotServed(String host) {
    assertThatThrownBy(() -> closed.of(caller("127.0.0.1", host)))
        .isInstanceOf(HttpRefusal.class)
        .hasMessageContaining("only this machine");
  }

  @Test
  void otherMachinesAreNotServedWhateverTheyCallThisOne() {
    assertThatThrownBy(() -> closed.of(caller("10.1.2.3", "localhost")))
        .isInstanceOf(HttpRefusal.class);
    assertThatThrownBy(() -> closed.of(caller("fe80::1", "127.0.0.1")))
        .isInstanceOf(HttpRefusal.class);
    assertThat(new Access(null, true).of(caller("10.1.2.3", "braid.example")))
        .isSameAs(Identity.LOCAL);
  }
}
