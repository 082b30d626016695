/** Generates src/generated/domains from the files of each domain, as static imports; `--check` fails when they are stale. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import type { z } from 'zod';
import { type DetailCode, isDetailCode } from '../src/detail-codes.ts';
import { domainNames } from '../src/domains/domain-names.ts';
import {
  type ApiFieldDeclarations,
  listRestNamesOfApiFields,
} from '../src/lib/validation/api-field-declarations.ts';
import { listModulesWithEffects, readDeclarationFiles } from './domain-declarations.ts';
import { toJsonSchema, toTypeScript } from './event-payloads.ts';
import { ReachableCodes } from './reachable-codes.ts';
import { writeOrCheck } from './write-or-check.ts';

const target = 'src/generated/domains';

const header = (summary: string) => `/** ${summary} Generated from src/domains by scripts/gather.ts. */\n`;

const write = (name: string, lines: readonly string[]) =>
  writeOrCheck(`${target}/${name}.ts`, `${lines.join('\n')}\n`);

interface DomainFile {
  domain: string;
  /** Below src. */
  path: string;
}

/** The files `src/<folder>/<domain><rest>` that exist, in the order of the list of domains. */
const domainFiles = (folder: string, rest: string): DomainFile[] =>
  domainNames
    .map((domain) => ({ domain, path: `${folder}/${domain}${rest}` }))
    .filter(({ path }) => existsSync(`src/${path}`));

const withoutRoot = (path: string) => path.replace(/^src\//, '');

const declarationFiles = domainFiles('domains', '').flatMap(({ domain, path: folder }) =>
  readDeclarationFiles(`src/${folder}`).map((file) => ({ ...file, domain, path: withoutRoot(file.path) })),
);

const identifier = (domain: string) => domain.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

interface List {
  file: string;
  name: string;
  summary: string;
  type: string;
  imports: readonly string[];
  from: readonly DomainFile[];
}

/** One list, concatenated from the lists that domains export under the same name. */
function writeList({ file, name, summary, type, imports, from }: List) {
  write(file, [
    header(summary),
    ...imports,
    ...from.map(({ domain, path }) => `import { ${name} as ${identifier(domain)} } from '../../${path}';`),
    '',
    `export const ${name}: readonly ${type}[] = [`,
    ...from.map(({ domain }) => `  ...${identifier(domain)},`),
    '];',
  ]);
}

const exporting = (name: string) => declarationFiles.filter((file) => file.exports.has(name));

/** Written as literals, not imported: layers below the domains read these lists. */
function writeDeclaredLiterals() {
  const permissions: Record<string, string> = Object.assign(
    {},
    ...declarationFiles.map((file) => file.permissions),
  );
  const constant = (name: string, value: unknown) =>
    `export const ${name} = ${JSON.stringify(value, null, 2)} as const;\n`;
  write('permissions-events-and-topics', [
    header('Permissions, webhook events and live topics of all domains.'),
    constant('permissions', Object.keys(permissions)),
    constant('permissionMeanings', permissions),
    constant('webhookEvents', Object.assign({}, ...declarationFiles.map((file) => file.webhookEvents))),
    constant(
      'liveTopics',
      declarationFiles.flatMap(({ liveTopics }) => liveTopics),
    ),
  ]);
}

/** Event payloads as TypeScript types and JSON schemas, so that code that emits an event is type-checked against the contract. */
async function writeEventData() {
  const modules: { eventDataSchemas: Readonly<Record<string, z.ZodType>> }[] = await Promise.all(
    domainFiles('domains', '/webhook-event-data-schemas.ts').map(({ path }) => import(`../src/${path}`)),
  );
  const schemas = modules.flatMap((module) =>
    Object.entries(module.eventDataSchemas).map(([type, data]) => [type, toJsonSchema(data)] as const),
  );
  write('event-data', [
    header('Payload types and JSON schemas of webhook events, by event type.'),
    'export interface EventData {',
    ...schemas.map(([type, schema]) => `  ${JSON.stringify(type)}: ${toTypeScript(schema)};`),
    '}\n',
    'export const eventSchemas: Readonly<Record<keyof EventData, object>> = {',
    ...schemas.map(([type, schema]) => `  ${JSON.stringify(type)}: ${JSON.stringify(schema)},`),
    '};',
  ]);
}

/** Detail codes that each root field can return, found by static analysis of its resolver. */
function writeDetailCodes() {
  const reachable = new ReachableCodes('src');
  const undocumented = [...reachable.detailCodes].filter((code) => !isDetailCode(code));
  if (undocumented.length > 0)
    throw new Error(`Add a description of these codes to src/detail-codes.ts: ${undocumented.join(', ')}`);
  const codesAmong = (names: Iterable<string>): DetailCode[] => [...names].filter(isDetailCode).sort();
  const types = codesAmong([
    ...reachable.fromDeclaration('src/graphql/execute/coerce-variables.ts', 'coerceVariables'),
    'AND_MORE',
  ]);
  const form = codesAmong([
    ...types,
    ...reachable.fromDeclaration('src/lib/validation/input.ts', 'parseInput'),
  ]);
  write('detail-codes', [
    header('Detail codes of validation errors, by root field.'),
    `import type { DetailCode } from '../../detail-codes.ts';\n`,
    '/** Codes of variables with the wrong type. AND_MORE ends a list of errors that was cut off. */',
    `export const typeCodes: readonly DetailCode[] = ${JSON.stringify(types)};\n`,
    '/** Codes that any argument can be rejected with. */',
    `export const formCodes: readonly DetailCode[] = ${JSON.stringify([...new Set(form)])};\n`,
    'export const codesByField: Readonly<Record<string, readonly DetailCode[]>> = {',
    ...reachable.rootFields.map(
      (field) => `  ${field}: ${JSON.stringify(codesAmong(reachable.fromField(field)))},`,
    ),
    '};',
  ]);
}

/** Declared fields in the REST fragments: rewrites the marked lines of operations.graphql from the declarations in api-field-declarations.ts. */
async function writeDeclaredSelections() {
  for (const { domain, path } of domainFiles('domains', '/api-field-declarations.ts')) {
    const file = `src/domains/${domain}/operations.graphql`;
    const module: Record<string, ApiFieldDeclarations> = await import(`../src/${path}`);
    let source = readFileSync(file, 'utf8');
    for (const fields of Object.values(module)) {
      // The marks are part of the stored document: another wording would change its hash, by which clients refer to it.
      const mark = `${domain.slice(0, -1)}Fields`;
      const [start, end] = [`  # Generated from ${mark} in fields.ts:\n`, `  # End of ${mark}.\n`];
      const selection = listRestNamesOfApiFields(fields).map((field) => `  ${field}\n`);
      const [before, rest = ''] = source.split(start);
      const after = rest.split(end)[1];
      if (after === undefined) throw new Error(`${file} has no lines marked for ${mark}.`);
      source = [before, start, ...selection, end, after].join('');
    }
    writeOrCheck(file, source);
  }
}

mkdirSync(target, { recursive: true });
writeDeclaredLiterals();
await writeDeclaredSelections();
await writeEventData();
writeDetailCodes();
write('schema', [
  header(
    'Imports every module that adds types or fields to the GraphQL schema, or registers with another domain.',
  ),
  ...domainFiles('domains', '').flatMap(({ path }) =>
    listModulesWithEffects(`src/${path}`).map((file) => `import '../../${withoutRoot(file)}';`),
  ),
]);
writeList({
  file: 'jobs',
  name: 'jobs',
  summary: 'Background jobs of all domains.',
  type: 'JobDefinition<Services>',
  imports: [
    `import type { Services } from '../../context.ts';`,
    `import type { JobDefinition } from '../../ports/jobs.ts';`,
  ],
  from: exporting('jobs'),
});
writeList({
  file: 'retention-rules',
  name: 'retentionRules',
  summary: 'Retention rules of all domains.',
  type: 'RetentionRule',
  imports: [`import type { RetentionRule } from '../../db/delete-expired-rows.ts';`],
  from: exporting('retentionRules'),
});
writeList({
  file: 'routes',
  name: 'routes',
  summary: 'REST routes of all domains.',
  type: 'RestRoute',
  imports: [`import type { RestRoute } from '../../rest/route.ts';`],
  from: domainFiles('domains', '/routes.ts'),
});
writeList({
  file: 'examples',
  name: 'exampleOperations',
  summary: 'Example operations shown in GraphiQL.',
  type: 'ExampleOperation',
  imports: [`import type { ExampleOperation } from '../../http/pages/example-operation-type.ts';`],
  from: domainFiles('http/pages/examples', '.ts'),
});
