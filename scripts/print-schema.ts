/** Prints the schema to schema/schema.graphql; with --check, fails when the file is not what would be printed. */
import { printSchema } from 'graphql';
import { schema } from '../src/graphql/schema.ts';
import { writeOrCheck } from './write-or-check.ts';

writeOrCheck('schema/schema.graphql', `${printSchema(schema)}\n`);
