/** Prints the schema and the ids of the stored operations; with --check, fails when the files are not what would be printed. */
import { lexicographicSortSchema, printSchema } from 'graphql';
import { schema } from '../src/graphql/schema.ts';
import { hashOf, textsIn } from '../src/graphql/trusted.ts';
import { writeOrCheck } from './write-or-check.ts';

writeOrCheck('schema/schema.graphql', `${printSchema(lexicographicSortSchema(schema))}\n`);

// Gateways read this: taking the operations apart would take them longer than anything else at start-up.
const documents = textsIn('src/domains').map((source) => [hashOf(source), source]);
writeOrCheck('schema/documents.json', `${JSON.stringify(Object.fromEntries(documents), null, 2)}\n`);
