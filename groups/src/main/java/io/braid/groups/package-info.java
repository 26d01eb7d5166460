/**
 * Key groups (G-Store): own any set of rows at one process for as long as a game, a cart or an
 * edited document lasts, and run transactions on them at the cost of a log append: to a local file,
 * or on HBase to the store or a folder in HDFS.
 *
 * <p>{@link io.braid.groups.Groups} creates groups and is the place to begin; a {@link
 * io.braid.groups.Group} runs {@link io.braid.groups.GroupTransaction}s.
 *
 * <p>This is the client-based design (section 5.1): the followers are the rows, a join is a
 * test-and-set of the hold in the row, and the leader ({@link io.braid.groups.leader}) is in the
 * process that asked. Nothing is needed but the store. A group's life:
 *
 * <ol>
 *   <li>its record is written (<i>forming</i>), then the hold in every row, then the record again
 *       (<i>live</i>);
 *   <li>transactions run on members that are cached here, and are acknowledged when they are in the
 *       {@link io.braid.groups.log.GroupLog}; the {@code Shipper} brings them to the store, each
 *       batch as one transaction together with the position in the log;
 *   <li>the record says <i>deleting</i>; all that is logged is shipped; the holds go, then the
 *       record.
 * </ol>
 */
@NullMarked
package io.braid.groups;

import org.jspecify.annotations.NullMarked;
