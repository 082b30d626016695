/** Prints the REST contract to schema/openapi.json; with --check, fails when the file is out of date. */

import { routes } from '../src/generated/domains/routes.ts';
import { sortSchemaForReading } from '../src/graphql/schema/required-arguments-first.ts';
import { schema } from '../src/graphql/schema/schema.ts';
import { printOpenApi } from './openapi/print.ts';
import { writeOrCheck } from './write-or-check.ts';

const printed = printOpenApi(sortSchemaForReading(schema), routes);
writeOrCheck('schema/openapi.json', `${JSON.stringify(printed, null, 2)}\n`);
