/** Writes the schema as a type for gql.tada. Its command does the same, but needs TypeScript 5 or 6. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal';
import { buildSchema, introspectionFromSchema } from 'graphql';

const schema = buildSchema(readFileSync('../../schema/schema.graphql', 'utf8'));
const introspection = minifyIntrospection(introspectionFromSchema(schema) as never);
// The Relay compiler does not create the folder of its output.
mkdirSync('src/generated/relay', { recursive: true });
writeFileSync(
  'src/generated/tada.d.ts',
  outputIntrospectionFile(introspection, { fileType: '.d.ts', shouldPreprocess: true }),
);
