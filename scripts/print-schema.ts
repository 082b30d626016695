/** Prints the GraphQL schema, the same as a subgraph, and the manifest of the stored operations; with --check, fails when the files are out of date. */
import { printSchema } from 'graphql';
import { hashDocument, readTrustedDocumentFolder } from '../src/graphql/http/trusted-documents.ts';
import { sortSchemaForReading } from '../src/graphql/schema/required-arguments-first.ts';
import { schema } from '../src/graphql/schema/schema.ts';
import { printSubgraph, withoutFederation } from './subgraph-schema.ts';
import { writeOrCheck } from './write-or-check.ts';

writeOrCheck('schema/schema.graphql', `${printSchema(sortSchemaForReading(withoutFederation(schema)))}\n`);
writeOrCheck('schema/subgraph.graphql', printSubgraph(schema));

// The gateway reads this manifest instead of the operations: parsing those would be the slowest part of its start.
const documents = readTrustedDocumentFolder('src/domains').map((source) => [hashDocument(source), source]);
writeOrCheck('schema/documents.json', `${JSON.stringify(Object.fromEntries(documents), null, 2)}\n`);
