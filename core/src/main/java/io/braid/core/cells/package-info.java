/**
 * The row format that all strands share, as {@code docs/formats/cells.md} specifies it: which
 * families a table has, and what intents, commit records and notifications look like.
 *
 * <p>A column of a user becomes several cells of the store (Percolator, figure 5):
 *
 * <ul>
 *   <li><em>commit record</em>: in the column's own family and qualifier, at the commit timestamp;
 *       holds the value if it is small.
 *   <li><em>large value</em>: in the family's companion, at the start timestamp.
 *   <li><em>intent</em>: an uncommitted write, in {@code ~intent}, at the start timestamp. It names
 *       its <em>decision point</em>: the place that decides its outcome.
 *   <li><em>notification</em>: in {@code ~notify}, at the start timestamp of the change.
 *   <li><em>acknowledgment</em>: an ordinary transactional column of the family {@code ~ack}.
 * </ul>
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.core.cells;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
