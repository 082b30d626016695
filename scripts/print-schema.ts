/** Prints the schema and the ids of the stored operations; with --check, fails when the files are not what would be printed. */
import { lexicographicSortSchema, printSchema } from 'graphql';
import { documentHash, readDocumentFolder } from '../src/graphql/http/trusted-documents.ts';
import { schema } from '../src/graphql/schema/schema.ts';
import { writeOrCheck } from './write-or-check.ts';

writeOrCheck('schema/schema.graphql', `${printSchema(lexicographicSortSchema(schema))}\n`);

// Gateways read this: taking the operations apart would take them longer than anything else at start-up.
const documents = readDocumentFolder('src/domains').map((source) => [documentHash(source), source]);
writeOrCheck('schema/documents.json', `${JSON.stringify(Object.fromEntries(documents), null, 2)}\n`);
