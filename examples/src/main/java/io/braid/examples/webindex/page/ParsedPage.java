package io.braid.examples.webindex.page;

/** A page, taken apart. */
public record ParsedPage(PageText text, OutLinks links) {}
