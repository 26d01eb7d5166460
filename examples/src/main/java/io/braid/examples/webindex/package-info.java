/**
 * A web index that stays fresh while pages change: the main example of transactions and observers.
 *
 * <p>{@link io.braid.examples.webindex.Loader} writes crawled pages; the observers of {@link
 * io.braid.examples.webindex.observers} derive everything else; {@link
 * io.braid.examples.webindex.WebIndex} puts them together over a database; {@link
 * io.braid.examples.webindex.Crawl} brings a whole crawl in and waits until the index is up to
 * date.
 */
@NullMarked
package io.braid.examples.webindex;

import org.jspecify.annotations.NullMarked;
