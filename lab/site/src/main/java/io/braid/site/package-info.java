/**
 * The documentation as a site: the Markdown of the repository, rendered to pages that need neither
 * a server nor a network. {@link io.braid.site.Book} gathers what belongs to it, by following links
 * from the README, and notes every link that leads nowhere; {@link io.braid.site.Site} writes it,
 * or refuses.
 */
@NullMarked
package io.braid.site;

import org.jspecify.annotations.NullMarked;
