/**
 * The laws of {@link io.braid.core.store.CellStore} as tests that every store inherits.
 *
 * <p>{@link io.braid.testkit.contract.CellStoreContract} gathers them; each interface of
 * <em>laws</em> proves a few bullets of the Javadoc of the store contract. The <em>program</em> is
 * the procedure that the laws run: its argument says, step by step, what to do with the rows, so
 * that one class can be sent to any store, in this process or in another.
 */
@NullMarked
package io.braid.testkit.contract;

import org.jspecify.annotations.NullMarked;
