/** Gathers what each domain brings into src/generated/domains, as static imports; with --check, fails when that is stale. */
import { existsSync, mkdirSync } from 'node:fs';
import type { z } from 'zod';
import { type DetailCode, isDetailCode } from '../src/detail-codes.ts';
import { domains } from '../src/domains/index.ts';
import { schemaOf } from './event-data.ts';
import { typeOf } from './event-types.ts';
import { Reach } from './reach.ts';
import { writeOrCheck } from './write-or-check.ts';

const target = 'src/generated/domains';

const head = (what: string) => `/** ${what} Gathered from src/domains/index.ts by scripts/gather.ts. */\n`;

const write = (name: string, lines: readonly string[]) =>
  writeOrCheck(`${target}/${name}.ts`, `${lines.join('\n')}\n`);

/** The files `src/<folder>/<domain><rest>` that exist, in the order of the list. */
const filesAt = (folder: string, rest: string) =>
  domains
    .map((domain) => ({ domain, path: `${folder}/${domain}${rest}` }))
    .filter(({ path }) => existsSync(`src/${path}`));

const identifier = (domain: string) => domain.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** One list of the lists that files of the same kind export under one name. */
function lists(
  name: string,
  what: string,
  type: string,
  [folder, rest]: [string, string],
  imports: string[],
) {
  const files = filesAt(folder, rest);
  write(name, [
    head(what),
    ...imports,
    ...files.map(({ domain, path }) => `import { ${name} as ${identifier(domain)} } from '../../${path}';`),
    '',
    `export const ${name}: readonly ${type}[] = [`,
    ...files.map(({ domain }) => `  ...${identifier(domain)},`),
    '];',
  ]);
}

interface Vocabulary {
  permissions?: Readonly<Record<string, string>>;
  webhookEvents?: Readonly<Record<string, string>>;
  liveTopics?: readonly string[];
}

/** Written out, not imported: lower floors may read these words without knowing any domain. */
async function vocabulary() {
  const all: Vocabulary[] = await Promise.all(
    filesAt('domains', '/manifest.ts').map(({ path }) => import(`../src/${path}`)),
  );
  const permissions: Record<string, string> = Object.assign({}, ...all.map((one) => one.permissions ?? {}));
  const say = (name: string, value: unknown) =>
    `export const ${name} = ${JSON.stringify(value, null, 2)} as const;\n`;
  write('vocabulary', [
    head('The words that domains add to the lists of the gateway.'),
    say('permissions', Object.keys(permissions)),
    say('permissionMeanings', permissions),
    say('webhookEvents', Object.assign({}, ...all.map(({ webhookEvents = {} }) => webhookEvents))),
    say(
      'liveTopics',
      all.flatMap(({ liveTopics = [] }) => liveTopics),
    ),
  ]);
}

/** Written out for the same reason; the types hold whoever makes an event to what is promised. */
async function eventData() {
  const all: { eventData: Readonly<Record<string, z.ZodType>> }[] = await Promise.all(
    filesAt('domains', '/event-data.ts').map(({ path }) => import(`../src/${path}`)),
  );
  const schemas = all.flatMap((one) =>
    Object.entries(one.eventData).map(([type, data]) => [type, schemaOf(data)] as const),
  );
  write('event-data', [
    head('What the data of each type of event holds.'),
    'export interface EventData {',
    ...schemas.map(([type, schema]) => `  ${JSON.stringify(type)}: ${typeOf(schema)};`),
    '}\n',
    'export const eventSchemas: Readonly<Record<keyof EventData, object>> = {',
    ...schemas.map(([type, schema]) => `  ${JSON.stringify(type)}: ${JSON.stringify(schema)},`),
    '};',
  ]);
}

/** What each root field can refuse with, read off its code. */
function detailCodes() {
  const reach = new Reach('src');
  const unexplained = [...reach.codes].filter((code) => !isDetailCode(code));
  if (unexplained.length > 0)
    throw new Error(`Say in src/detail-codes.ts what these mean: ${unexplained.join(', ')}`);
  const among = (words: Iterable<string>): DetailCode[] => [...words].filter(isDetailCode).sort();
  const types = among([
    ...reach.ofDeclaration('src/graphql/execute/coerce-variables.ts', 'coerceVariables'),
    'AND_MORE',
  ]);
  const form = among([...types, ...reach.ofDeclaration('src/lib/validation/input.ts', 'parseInput')]);
  write('detail-codes', [
    head('The detail codes that requests can be refused with, by root field.'),
    `import type { DetailCode } from '../../detail-codes.ts';\n`,
    '/** Variables of the wrong type; of too many faults the last is AND_MORE. */',
    `export const typeCodes: readonly DetailCode[] = ${JSON.stringify(types)};\n`,
    '/** What any argument may be refused for. */',
    `export const formCodes: readonly DetailCode[] = ${JSON.stringify([...new Set(form)])};\n`,
    'export const codesByField: Readonly<Record<string, readonly DetailCode[]>> = {',
    ...reach.rootFields.map((field) => `  ${field}: ${JSON.stringify(among(reach.ofField(field)))},`),
    '};',
  ]);
}

mkdirSync(target, { recursive: true });
await vocabulary();
await eventData();
detailCodes();
// `index.ts` is for what a domain adds to the schema beyond its queries, mutations and subscriptions.
write('schema', [
  head('Every part of the schema, added by being imported.'),
  ...['index', 'queries', 'mutations', 'subscriptions'].flatMap((part) =>
    filesAt('domains', `/${part}.ts`).map(({ path }) => `import '../../${path}';`),
  ),
]);
lists(
  'jobs',
  'Every job of a domain.',
  'Job<Services>',
  ['domains', '/jobs.ts'],
  [`import type { Services } from '../../context.ts';`, `import type { Job } from '../../ports/jobs.ts';`],
);
lists(
  'sweeps',
  'What grows old in each domain.',
  'RetentionRule',
  ['domains', '/retention.ts'],
  [`import type { RetentionRule } from '../../db/delete-expired-rows.ts';`],
);
lists(
  'routes',
  'Every route of the REST table.',
  'RestRoute',
  ['domains', '/routes.ts'],
  [`import type { RestRoute } from '../../rest/route.ts';`],
);
lists(
  'examples',
  'Operations to begin with in GraphiQL.',
  'ExampleOperation',
  ['http/pages/examples', '.ts'],
  [`import type { ExampleOperation } from '../../http/pages/example-operation.ts';`],
);
