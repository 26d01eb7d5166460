package io.braid.examples.webindex.input;

import io.braid.core.data.Bytes;

/**
 * A page as it was crawled.
 *
 * @param root the address below which its source holds all pages there are: a page that is missing
 *     there has disappeared
 * @param charset the character set that the server named; empty when none was named
 */
public record RawPage(PageUrl url, String root, Bytes body, String charset) {}
