/**
 * Crawls as they come in: a {@link io.braid.examples.webindex.input.PageSource} (a directory, a jar
 * or zip, a WARC file) is a stream of {@link io.braid.examples.webindex.input.RawPage}s, each with
 * its {@link io.braid.examples.webindex.input.PageUrl}. A {@link
 * io.braid.examples.webindex.input.Survey} reads all of it once, so that damaged input is refused
 * before anything is loaded.
 */
@NullMarked
package io.braid.examples.webindex.input;

import org.jspecify.annotations.NullMarked;
