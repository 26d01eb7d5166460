/**
 * The documentation as a site: the Markdown of the repository, rendered to pages that need neither
 * a server nor a network. {@link io.braid.site.Book} gathers the files of the site by following
 * links from the README, and records every link that leads nowhere. {@link io.braid.site.Site}
 * writes the site, or refuses if there are such links.
 */
@NullMarked
package io.braid.site;

import org.jspecify.annotations.NullMarked;
