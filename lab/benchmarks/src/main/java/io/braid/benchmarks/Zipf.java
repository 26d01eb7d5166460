package io.braid.benchmarks;

import java.util.random.RandomGenerator;

/** Numbers from 0 to n-1, the k-th with a probability in proportion to 1/k^theta. */
final class Zipf {
  private final double[] upTo;

  Zipf(int n, double theta) {
    upTo = new double[n];
    double sum = 0;
    for (int i = 0; i < n; i++) {
      sum += 1 / Math.pow(i + 1, theta);
      upTo[i] = sum;
    }
    for (int i = 0; i < n; i++) {
      upTo[i] /= sum;
    }
  }

  int next(RandomGenerator random) {
    double drawn = random.nextDouble();
    int low = 0;
    int high = upTo.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (upTo[middle] < drawn) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
