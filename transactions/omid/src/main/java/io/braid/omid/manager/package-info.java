/**
 * The transaction manager of Omid (section 3.2, algorithm 2): the one place where conflicts are
 * found.
 *
 * <p>A {@link io.braid.omid.manager.TransactionManager} gives out start and commit timestamps of
 * the oracle and checks, for each cell of a {@link io.braid.omid.manager.WriteSet}, that nobody has
 * committed it since. What it knows of commits is in a map of fixed size; what it had to forget it
 * treats as a conflict. It knows no store and no values, and keeps nothing over a restart:
 * transactions that began before it are refused.
 */
@NullMarked
package io.braid.omid.manager;

import org.jspecify.annotations.NullMarked;
