/**
 * Campaigns: simulations over one seed after another. Beside them, real processes are killed and
 * listeners get garbage. Every run is a line of a log, so that a campaign can be ended and
 * continued at any time. A summary is made from the log alone.
 */
@NullMarked
package io.braid.lab.campaign;

import org.jspecify.annotations.NullMarked;
