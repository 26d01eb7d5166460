/**
 * Commits.
 *
 * <p>Begin with {@link io.braid.percolator.commit.Committer}, which explains the protocol and
 * commits a {@code PlanWithPrimary} in one phase; {@code TwoPhase} is the other way. {@code
 * CommitSteps} has the steps that they share. Weak notifications alone are a {@link
 * io.braid.core.protocol.WeakCommit}. {@code StreamedWrites} commits a transaction that has
 * outgrown the memory. {@code FinishDuty} and {@code HeartbeatDuty} work in the background.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.percolator.commit;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
