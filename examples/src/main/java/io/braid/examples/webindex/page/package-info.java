/**
 * The content of a page, as far as the index needs it: {@link
 * io.braid.examples.webindex.page.PageParser} makes a {@link
 * io.braid.examples.webindex.page.ParsedPage} with title, visible text and {@link
 * io.braid.examples.webindex.page.OutLinks}; {@link io.braid.examples.webindex.page.Words} are the
 * words that find it.
 *
 * <p>Everything here is a pure function of the page's bytes and address.
 */
@NullMarked
package io.braid.examples.webindex.page;

import org.jspecify.annotations.NullMarked;
