/** Prints the REST contract to schema/openapi.json; with --check, fails when the file is not what would be printed. */

import { rows } from '../src/generated/domains/rows.ts';
import { schema } from '../src/graphql/schema.ts';
import { printOpenApi } from './openapi/print.ts';
import { writeOrCheck } from './write-or-check.ts';

writeOrCheck('schema/openapi.json', `${JSON.stringify(printOpenApi(schema, rows), null, 2)}\n`);
