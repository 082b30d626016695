#!/usr/bin/env node
/** Command `duet-migrate <folder>`. */
import { existsSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { migrateProject } from './migrate-project.ts';
import { printReport } from './report.ts';

const usage = `Usage: duet-migrate <folder> [--dry-run] [--report FILE]

Rewrites REST calls to typed GraphQL documents of
@duet-gateway/client-graphql: calls of @duet-gateway/client-rest, fetch of
documented paths, and openapi-fetch. Prints a report of what it rewrote, and
what it left and why.

  --dry-run      report without changing files
  --report FILE  write the report, in Markdown, to this file
`;

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean' }, report: { type: 'string' }, help: { type: 'boolean' } },
  });
  const [folder] = positionals;
  if (values.help || folder === undefined || positionals.length > 1) {
    (values.help ? process.stdout : process.stderr).write(usage);
    return values.help ? 0 : 2;
  }
  if (!existsSync(folder)) {
    console.error(`There is no folder ${folder}.`);
    return 2;
  }
  const report = await migrateProject({ folder, isDryRun: values['dry-run'] ?? false });
  const text = printReport(report);
  if (values.report !== undefined) writeFileSync(values.report, text);
  console.log(text);
  return report.typeErrors.length > 0 ? 1 : 0;
}

process.exitCode = await run().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  return 2;
});
