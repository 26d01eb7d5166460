/**
 * The values everything else is made of: {@link io.braid.core.data.Bytes}, {@link
 * io.braid.core.data.Row}, {@link io.braid.core.data.Column}, {@link io.braid.core.data.Cell}.
 * Immutable, ordered as the store orders them.
 */
@NullMarked
package io.braid.core.data;

import org.jspecify.annotations.NullMarked;
