package io.braid.benchmarks.scaling;

import java.util.ArrayList;
import java.util.List;

/**
 * A closed network of queues. A number of clients move from station to station, each with one
 * transaction at a time. The solution is by mean value analysis (Reiser and Lavenberg, 1980). The
 * analysis is exact for single servers with exponential service times that choose the next waiting
 * client at random or in turn. A station of several servers counts as one server that is as fast as
 * all of them together, and a delay for the rest (Seidmann, 1987).
 *
 * <p>The model excludes locks held across stations, conflicts, messages shared by waiting clients,
 * and anything that gets slower by itself under load.
 */
final class ClosedNetwork {
  /**
   * Equal stations that divide the work among them.
   *
   * @param seconds the service that a transaction needs from all of them together
   * @param servers the servers of each station
   */
  private record Station(String name, double seconds, int servers, int copies) {
    /** Returns the seconds at one of the stations, where the transaction has to queue. */
    double queued() {
      return seconds / copies / servers;
    }

    /** Returns the seconds at all stations, without queueing. */
    double delayed() {
      return seconds * (servers - 1) / servers;
    }
  }

  /**
   * The prediction for a number of clients.
   *
   * @param perSecond transactions a second
   * @param seconds the time of a transaction, including pauses of the client
   * @param bottleneck the station with the least idle time; "none" if there is none
   * @param busy the share of its servers' time in use there
   */
  record Prediction(double perSecond, double seconds, String bottleneck, double busy) {}

  private final List<Station> stations = new ArrayList<>();
  private double delay;

  /** Adds a time without use of any resource: a pause, or a trip through the network. */
  ClosedNetwork delay(double seconds) {
    delay += seconds;
    return this;
  }

  /**
   * Adds stations that divide the work evenly.
   *
   * @param seconds the service that a transaction needs from all of them together
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
