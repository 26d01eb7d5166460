/**
 * Data and its addresses. A {@link io.braid.core.data.Row} is the address of a row. A {@link
 * io.braid.core.data.Column} names a column of a row, and one of the {@link
 * io.braid.core.data.Codecs} that convert the column's values to {@link io.braid.core.data.Bytes}.
 * Programs begin with these three. {@link io.braid.core.data.Cell} and {@link
 * io.braid.core.data.Encoder} are for the layers beneath transactions.
 *
 * <p>Values are immutable, ordered as the store orders them.
 */
@NullMarked
package io.braid.core.data;

import org.jspecify.annotations.NullMarked;
