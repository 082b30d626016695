/** Repeats these tests on the embedded database. */
import '../support/on-pglite.ts';
import '../db/cron-jobs.test.ts';
