/**
 * What a transaction protocol needs on the client's side, whichever protocol it is: the writes that
 * are buffered until the commit ({@link io.braid.core.protocol.WriteBuffer}), scans of a snapshot
 * and over one's own writes ({@link io.braid.core.protocol.ScanCursor}, {@link
 * io.braid.core.protocol.MergedCursor}), what is known of the tables ({@link
 * io.braid.core.protocol.TableCatalog}), calls that are counted and tried again, and duties.
 *
 * <p>How a protocol reads a column that an intent stands on is its own: {@link
 * io.braid.core.protocol.ColumnReader}.
 */
@NullMarked
package io.braid.core.protocol;

import org.jspecify.annotations.NullMarked;
