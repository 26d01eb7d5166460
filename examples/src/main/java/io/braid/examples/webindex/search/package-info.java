/**
 * Answers queries: {@link io.braid.examples.webindex.search.Search} finds the pages that have all
 * words and ranks them; a {@link io.braid.examples.webindex.search.Hit} is one of them.
 */
@NullMarked
package io.braid.examples.webindex.search;

import org.jspecify.annotations.NullMarked;
