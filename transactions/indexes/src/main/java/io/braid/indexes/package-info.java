/**
 * Secondary indexes over tables of either protocol (Omid, section 6.1). {@link
 * io.braid.indexes.Indexes} is for programs.
 *
 * <p>An index row is written by the transaction that writes the indexed row ({@code IndexUpdates}),
 * so both become visible at one timestamp. {@code IndexRegistry} keeps the definitions, {@code
 * IndexRows} and {@code IndexKeys} say where the rows of an index lie. {@code IndexBuild}, {@code
 * IndexMove} and {@code IndexRemoval} change an index while writers go on; each continues after a
 * crash. {@code IndexQuestion} answers lookups. {@code IndexedTables} gives them tables and
 * transactions.
 */
@NullMarked
package io.braid.indexes;

import org.jspecify.annotations.NullMarked;
