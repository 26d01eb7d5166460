/**
 * What batch engines such as MapReduce and Spark need of a table (Hadoop on PNUTS, section 3):
 * parts to read side by side at one snapshot, and a load that many tasks write and one commits.
 *
 * <p>A task may run several times, some of them at one time, and be killed at any moment. What it
 * writes is staged under the load's start timestamp ({@link io.braid.batch.atomic}), where the same
 * value a second time changes nothing; nobody sees any of it before the one commit.
 */
@NullMarked
package io.braid.batch.engine;

import org.jspecify.annotations.NullMarked;
