/** The same on the embedded database. */
import '../support/on-pglite.ts';
import '../db/old-documents.test.ts';
