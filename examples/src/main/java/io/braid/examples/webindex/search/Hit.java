package io.braid.examples.webindex.search;

import java.util.List;

/**
 * A page that answers a query.
 *
 * @param url of the canonical page
 * @param snippet the part of its text where a word is found first
 * @param anchors the texts of links to it, most frequent first
 * @param links how many links lead to it or to one of its duplicates
 * @param duplicates how many other pages have the same bytes
 */
public record Hit(
    String url,
    String title,
    String snippet,
    List<String> anchors,
    long links,
    int duplicates,
    double score) {}
