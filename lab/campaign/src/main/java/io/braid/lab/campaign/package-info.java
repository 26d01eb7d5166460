/**
 * Campaigns: simulations over one seed after another, and beside them real processes that are
 * killed and listeners that are sent garbage. Every run is a line of a log, so that a campaign can
 * be ended at any time and gone on with; a summary is made from the log alone.
 */
@NullMarked
package io.braid.lab.campaign;

import org.jspecify.annotations.NullMarked;
