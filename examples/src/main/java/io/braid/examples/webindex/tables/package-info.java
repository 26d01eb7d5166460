/**
 * The tables of the web index, their columns and values.
 *
 * <p>{@link io.braid.examples.webindex.tables.Pages} holds each page and the results made of it;
 * {@link io.braid.examples.webindex.tables.Links} each address with the links that lead there;
 * {@link io.braid.examples.webindex.tables.Clusters} each distinct content with the pages that have
 * it; {@link io.braid.examples.webindex.tables.Postings} the words.
 *
 * <p>No cell is written on behalf of two pages, apart from the sums that the weakly notified
 * observers keep: data of many pages has a column or row for each of them. So observers of
 * different pages never conflict, however popular a word, a target or a content is.
 */
@NullMarked
package io.braid.examples.webindex.tables;

import org.jspecify.annotations.NullMarked;
