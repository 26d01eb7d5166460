package io.braid.simulation.serving;

import io.braid.simulation.schedule.Host;

/** A process that never dies: nodes do so by themselves. */
public record SteadyHost(String name) implements Host {
  public SteadyHost() {
    this("all");
  }

  @Override
  public boolean isDead() {
    return false;
  }

  @Override
  public long pausedUntil() {
    return 0;
  }
}
