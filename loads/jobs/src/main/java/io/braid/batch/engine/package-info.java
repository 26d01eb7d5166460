/**
 * Access to tables for batch engines such as MapReduce and Spark (Hadoop on PNUTS, section 3). An
 * engine reads parts side by side at one snapshot. Many tasks write a load, and one commit makes it
 * visible.
 *
 * <p>A task may run several times, some of them at one time, and be killed at any moment. Its
 * output is staged under the load's start timestamp ({@link io.braid.batch.atomic}), where writing
 * the same value a second time changes nothing. No reader sees any of the output before the one
 * commit.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.batch.engine;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
