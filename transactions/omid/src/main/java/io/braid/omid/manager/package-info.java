/**
 * The transaction manager of Omid (section 3.2, algorithm 2), which decides between transactions
 * whose writes are still tentative. Rows find conflicts too: they refuse a write below a newer
 * commit ({@code io.braid.omid.rows}).
 *
 * <p>A {@link io.braid.omid.manager.TransactionManager} gives out start and commit timestamps of
 * the oracle. For each cell of a {@link io.braid.omid.manager.WriteSet}, it checks that no other
 * transaction has committed the cell since. It remembers commits in a map of fixed size, and treats
 * forgotten ones as conflicts. It knows no store and no values. It keeps no state over a restart:
 * transactions that began before the restart are refused.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.omid.manager;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
