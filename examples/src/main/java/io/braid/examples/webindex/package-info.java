/**
 * A web index that stays fresh while pages change: the main example of transactions and observers.
 *
 * <p>{@link io.braid.examples.webindex.Loader} writes crawled pages; the observers of {@link
 * io.braid.examples.webindex.observers} derive everything else.
 */
@NullMarked
package io.braid.examples.webindex;

import org.jspecify.annotations.NullMarked;
