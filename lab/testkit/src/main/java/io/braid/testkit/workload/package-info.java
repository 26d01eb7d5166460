/**
 * Workloads: clients that do one kind of work with a database, whatever it is, through {@link
 * io.braid.core.transaction.Transactions}, and write down what they saw as a history.
 *
 * <p>A <em>workload</em> knows what to do, a <em>client</em> does it in transactions of its own,
 * and the <em>journal</em> of a run gives clients their numbers and takes their entries. The
 * <em>audit</em> at the end reads everything, so that nothing lost goes unnoticed.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.testkit.workload;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
