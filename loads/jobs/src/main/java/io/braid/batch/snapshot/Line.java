package io.braid.batch.snapshot;

import java.util.List;

/**
 * Seconds by size: a fixed part, and one that grows. Sizes are seconds as well, those that the
 * model gives for the growing part.
 */
record Line(double fixed, double growing) {
  /** The least factor between sizes at which the two parts of the line can be told apart. */
  private static final double APART = 4;

  /** A load that ended. */
  record Point(double size, double seconds) {}

  double at(double size) {
    return fixed + growing * size;
  }

  /**
   * Returns the line of the model, adapted to the loads seen.
   *
   * @param before the fixed part of the model
   */
  static Line through(double before, List<Point> seen) {
    double least = seen.stream().mapToDouble(Point::size).min().orElse(0);
    double most = seen.stream().mapToDouble(Point::size).max().orElse(0);
    if (seen.isEmpty()) {
      return new Line(before, 1);
    }
    if (most >= APART * Math.max(least, 1e-9)) {
      return fitted(seen);
    }
    if (most < before) {
      // Only small loads were seen: the rate is not known.
      return new Line(median(seen.stream().map(p -> p.seconds - p.size).toList()), 1);
    }
    double factor = median(seen.stream().map(p -> p.seconds / (before + p.size)).toList());
    return new Line(factor * before, factor);
  }

  /** The one with the least sum of squares of relative errors; neither part is below zero. */
  private static Line fitted(List<Point> seen) {
    double ww = 0;
    double wx = 0;
    double wxx = 0;
    double wy = 0;
    double wxy = 0;
    for (Point each : seen) {
      double seconds = Math.max(each.seconds, 1e-3);
      double weight = 1 / (seconds * seconds);
      ww += weight;
      wx += weight * each.size;
      wxx += weight * each.size * each.size;
      wy += weight * seconds;
      wxy += weight * each.size * seconds;
    }
    double growing = (ww * wxy - wx * wy) / (ww * wxx - wx * wx);
    double fixed = (wy - growing * wx) / ww;
    if (growing < 0) {
      return new Line(wy / ww, 0);
    }
    return fixed < 0 ? new Line(0, wxy / wxx) : new Line(fixed, growing);
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    return Math.max(0, sorted.get(sorted.size() / 2));
  }
}
