/**
 * MapReduce jobs that read and write tables (Hadoop on PNUTS, section 3). A job reads one snapshot,
 * a split for each group of tablets. Its output becomes visible at one commit timestamp when the
 * job commits, no matter which tasks failed, ran twice or speculated before. {@link
 * io.braid.mapreduce.BraidJob} has the settings: begin there. {@link
 * io.braid.mapreduce.StoreOutputFormat} builds versions of served stores.
 */
@NullMarked
package io.braid.mapreduce;

import org.jspecify.annotations.NullMarked;
