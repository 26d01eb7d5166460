package io.braid.benchmarks.scaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** The model beside what is known of such networks. */
class ClosedNetworkTest {
  @Test
  void aloneNobodyWaits() {
    ClosedNetwork network =
        new ClosedNetwork()
            .stations("store", 0.03, 4, 3)
            .stations("manager", 0.01, 1, 1)
            .delay(0.06);
    assertThat(network.at(1).perSecond()).isCloseTo(10, within(1e-9));
  }

  /** The machine repairman with two machines: by hand from its three states. */
  @Test
  void twoClientsAtOneServerAreAsItsStatesSay() {
    double service = 0.01;
    double think = 0.09;
    double r = service / think;
    double idle = 1 / (1 + 2 * r + 2 * r * r);
    double perSecond = (1 - idle) / service;
    assertThat(new ClosedNetwork().stations("server", service, 1, 1).delay(think).at(2).perSecond())
        .isCloseTo(perSecond, within(1e-9));
  }

  /**
   * Without a pause, n clients at k equal servers in a row: n / (n + k - 1) of what is possible.
   */
  @Test
  void equalStationsAreBusyAsTheFormulaSays() {
    ClosedNetwork network = new ClosedNetwork().stations("store", 0.05, 1, 5);
    assertThat(network.at(7).perSecond()).isCloseTo(100 * 7.0 / 11, within(1e-9));
  }

  @Test
  void theSlowestStationIsTheBound() {
    ClosedNetwork network =
        new ClosedNetwork()
            .stations("store", 0.02, 2, 10)
            .stations("manager", 0.004, 1, 1)
            .delay(0.001);
    ClosedNetwork.Prediction many = network.at(5000);
    assertThat(many.perSecond()).isCloseTo(250, within(0.1));
    assertThat(many.bottleneck()).isEqualTo("manager");
    assertThat(many.busy()).isCloseTo(1, within(0.001));
  }

  @Test
  void serversShareTheWork() {
    ClosedNetwork network = new ClosedNetwork().stations("processors", 0.01, 4, 1);
    assertThat(network.at(500).perSecond()).isCloseTo(400, within(1.0));
  }

  @Test
  void whatCannotBeIsRefused() {
    ClosedNetwork network = new ClosedNetwork();
    assertThatIllegalArgumentException().isThrownBy(() -> network.stations("s", -1, 1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> network.stations("s", Double.NaN, 1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> network.stations("s", 1, 0, 1));
  }
}
