/**
 * Tables that are bound to one of two protocols, and transactions over both. {@code
 * BoundTransactions} is the entry point; {@code TableBindings} knows the protocol of each table.
 * {@code Tables} creates, switches and drops tables, behind a {@code TableFence}.
 */
@NullMarked
package io.braid.tables;

import org.jspecify.annotations.NullMarked;
