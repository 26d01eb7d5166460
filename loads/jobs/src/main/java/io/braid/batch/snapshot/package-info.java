/**
 * The snapshot path (Hadoop on PNUTS, section 5): tasks write the records of a load into
 * <em>snapshots</em>, files for one tablet each; <em>senders</em> sort and keep them,
 * <em>receivers</em> make sorted files of the store from them and have these taken over. Which of
 * them sorts, and when, is what the three algorithms differ in.
 *
 * <p>Everything that comes into the table lies under a veil of the load's start timestamp ({@link
 * io.braid.core.store.Veils}); lifting it is the commit. So it does not matter how often and in
 * which order snapshots are imported: a cell that comes again replaces itself.
 */
@NullMarked
package io.braid.batch.snapshot;

import org.jspecify.annotations.NullMarked;
