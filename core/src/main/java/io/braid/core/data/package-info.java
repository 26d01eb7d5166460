/**
 * What is stored, and where: a {@link io.braid.core.data.Row} is the address of a row, a {@link
 * io.braid.core.data.Column} names a column of it and how its values become {@link
 * io.braid.core.data.Bytes}, by one of the {@link io.braid.core.data.Codecs}. Programs begin with
 * these three. {@link io.braid.core.data.Cell} and {@link io.braid.core.data.Encoder} are for what
 * lies beneath transactions.
 *
 * <p>Values are immutable, ordered as the store orders them.
 */
@NullMarked
package io.braid.core.data;

import org.jspecify.annotations.NullMarked;
