package io.braid.simulation;

import org.jspecify.annotations.Nullable;

/** Transactions of Percolator's protocol. */
final class PercolatorScenario extends TransactionScenario {
  private final Settings settings;

  /**
   * @param feeds follows what is changed, if that is watched
   */
  PercolatorScenario(World world, Settings settings, @Nullable FeedWatch feeds) {
    super(world, settings, new PercolatorOpener(world, settings), feeds);
    this.settings = settings;
  }

  @Override
  public String settings() {
    return settings.toString();
  }
}
