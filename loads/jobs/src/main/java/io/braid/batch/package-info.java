/**
 * Bulk loads and scans that survive bad records, bad networks and bad days (Hadoop on PNUTS, SIGMOD
 * 2011). Begin with {@link io.braid.batch.job.LoadJob}, which loads files into a table; {@link
 * io.braid.batch.export.TableExport} goes the other way, {@link io.braid.batch.job.Validation}
 * compares.
 *
 * <p>A <em>job</em> loads files into a table. Its <em>division</em> cuts the input into
 * <em>tasks</em> once and for all. A task reads records from one position to another and hands them
 * to a <em>sink</em>, whose workers write them in batches and tell permanent failures from records
 * that may yet succeed. A <em>round</em> goes through an input once: the first through the files,
 * the next through the records left for retry. An <em>attempt</em> is one run of a round: it skips
 * the tasks that left a checkpoint, and repeats the others from their beginning.
 *
 * <p>Every record of a job is a transaction that starts at the job's timestamp; the tablet clock
 * gives its version. So writing it again changes nothing ({@link io.braid.batch.rows.LoadRow}). All
 * recovery here relies on this property (section 4: writes are idempotent).
 */
@NullMarked
package io.braid.batch;

import org.jspecify.annotations.NullMarked;
