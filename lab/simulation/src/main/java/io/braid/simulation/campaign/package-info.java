/**
 * Many runs of the simulation and their results. A {@link io.braid.simulation.campaign.Campaign}
 * makes the runs and keeps a {@link io.braid.simulation.campaign.Tally} of each scenario. Runs are
 * read from files and written to files, so that a campaign can be resumed.
 */
@NullMarked
package io.braid.simulation.campaign;

import org.jspecify.annotations.NullMarked;
