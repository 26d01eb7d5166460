/**
 * The snapshot path (Hadoop on PNUTS, section 5): tasks write the records of a load into
 * <em>snapshots</em>, files for one tablet each. <em>Senders</em> sort and keep snapshots.
 * <em>Receivers</em> make sorted files of the store from them and have these files taken over. The
 * three algorithms differ in which of them sorts, and when.
 *
 * <p>All imported cells lie under a veil of the load's start timestamp ({@link
 * io.braid.core.store.Veils}); lifting it is the commit. So it does not matter how often and in
 * which order snapshots are imported: a cell that comes again replaces itself.
 */
@NullMarked
package io.braid.batch.snapshot;

import org.jspecify.annotations.NullMarked;
