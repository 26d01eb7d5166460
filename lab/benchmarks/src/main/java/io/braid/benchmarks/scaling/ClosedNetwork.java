package io.braid.benchmarks.scaling;

import java.util.ArrayList;
import java.util.List;

/**
 * A closed network of queues: so many clients go round from station to station, each with one
 * transaction at a time. Solved by mean value analysis (Reiser and Lavenberg, 1980), which is exact
 * for single servers that choose the next of those who wait at random or in turn and whose service
 * times are exponential; a station of several servers counts as one that is as fast as all of them
 * together and a delay for the rest (Seidmann, 1987).
 *
 * <p>What it does not know: locks held across stations, conflicts, messages that are shared by
 * those who wait, and whatever gets slower by itself under load.
 */
final class ClosedNetwork {
  /**
   * Equal stations that divide the work among them.
   *
   * @param seconds of service that a transaction needs from all of them together
   * @param servers of each
   */
  private record Station(String name, double seconds, int servers, int copies) {
    /** At one of them, where it has to queue. */
    double queued() {
      return seconds / copies / servers;
    }

    /** At all of them, without queueing. */
    double delayed() {
      return seconds * (servers - 1) / servers;
    }
  }

  /**
   * What comes out for a number of clients.
   *
   * @param perSecond transactions
   * @param seconds that one takes, pauses of the client included
   * @param bottleneck the station that has the least time left; "none" where there is none
   * @param busy which part of its servers' time is used there
   */
  record Prediction(double perSecond, double seconds, String bottleneck, double busy) {}

  private final List<Station> stations = new ArrayList<>();
  private double delay;

  /** A time that passes without anything being used up: a pause, a way through the network. */
  ClosedNetwork delay(double seconds) {
    delay += seconds;
    return this;
  }

  /**
   * Stations that divide the work evenly.
   *
   * @param seconds of service that a transaction needs of all of them together
   * @param servers how many transactions each serves at once
   */
  ClosedNetwork stations(String name, double seconds, int servers, int copies) {
    if (!(seconds >= 0) || servers < 1 || copies < 1) {
      throw new IllegalArgumentException(
          "A station needs a service time from 0 on, servers and copies from 1 on: " + name);
    }
    stations.add(new Station(name, seconds, servers, copies));
    return this;
  }

  Prediction at(int clients) {
    double[] waiting = new double[stations.size()];
    double perSecond = 0;
    double whole = 0;
    for (int n = 1; n <= clients; n++) {
      double[] each = new double[stations.size()];
      whole = delay;
      for (int i = 0; i < each.length; i++) {
        Station station = stations.get(i);
        each[i] = station.queued() * (1 + waiting[i]);
        whole += station.copies * each[i] + station.delayed();
      }
      perSecond = n / whole;
      for (int i = 0; i < each.length; i++) {
        waiting[i] = perSecond * each[i];
      }
    }
    String bottleneck = "none";
    double busy = 0;
    for (Station station : stations) {
      double own = perSecond * station.queued();
      if (own > busy) {
        busy = own;
        bottleneck = station.name;
      }
    }
    return new Prediction(perSecond, whole, bottleneck, busy);
  }
}
