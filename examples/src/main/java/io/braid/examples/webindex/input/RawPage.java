package io.braid.examples.webindex.input;

import io.braid.core.data.Bytes;

/**
 * A page as it was crawled.
 *
 * @param root the address below which its source holds all pages there are: what is missing there
 *     has disappeared
 * @param charset what the server called its character set; empty when nobody said
 */
public record RawPage(PageUrl url, String root, Bytes body, String charset) {}
