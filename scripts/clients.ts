/** Makes both client packages from the contracts in schema/: `npm run clients`. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, isEnumType } from 'graphql';
import { rolldown } from 'rolldown';
import { packageRoot } from '../src/lib/package-info.ts';
import { clientDocuments } from './client-documents.ts';
import { type Schemas, typeOf } from './event-types.ts';
import { readingTypes, schemaTypes } from './gql-types.ts';
import { graphqlAnswers, restAnswers } from './mock-responses.ts';

const packages = join(packageRoot, 'packages');
const restClient = join(packages, 'client-rest');
const graphqlClient = join(packages, 'client-graphql');

const contract = (name: string) => readFileSync(join(packageRoot, 'schema', name), 'utf8');

function write(folder: string, name: string, text: string): void {
  mkdirSync(join(folder, 'generated'), { recursive: true });
  writeFileSync(join(folder, 'generated', name), text);
}

const run = (folder: string, command: string, args: string[]) =>
  execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });

/** The codes of both contracts as types. */
function writeCodes(): void {
  const schema = buildSchema(contract('schema.graphql'));
  const union = (name: string) => {
    const type = schema.getType(name);
    const names = isEnumType(type) ? type.getValues().map((value) => `'${value.name}'`) : [];
    return `export type ${name} =\n  | ${names.join('\n  | ')};\n`;
  };
  write(join(packages, 'common'), 'codes.ts', `${union('ErrorCode')}\n${union('ErrorDetailCode')}`);
}

/** What endpoints are sent, one shape for each type of event. */
function writeEvents(): void {
  const { components } = JSON.parse(contract('openapi.json')) as { components: { schemas: Schemas } };
  const described = components.schemas;
  const messages = (described.WebhookMessage?.oneOf ?? []).map((one) => `\n  | ${typeOf(one, described)}`);
  const about = '/** What an endpoint is sent: told apart by `type`. */';
  write(
    join(packages, 'common'),
    'events.ts',
    `${about}\nexport type WebhookMessage =${messages.join('')};\n\nexport type WebhookType = WebhookMessage['type'];\n`,
  );
}

interface Described {
  operationId: string;
  'x-graphql-operation'?: string;
  parameters?: { $ref?: string }[];
}

/** Method, address, and 1 where a key makes a retry safe, for each row. */
function writeRows(): void {
  const { paths } = JSON.parse(contract('openapi.json')) as {
    paths: Record<string, Record<string, Described>>;
  };
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, row]) => row['x-graphql-operation'])
      .map(([method, { operationId, parameters = [] }]) => {
        const isKeyed = parameters.some(({ $ref }) => $ref?.endsWith('/Idempotency-Key'));
        return `  ${operationId}: ${JSON.stringify([method.toUpperCase(), path, isKeyed ? 1 : 0])},`;
      }),
  );
  const type = 'Record<string, readonly [method: string, path: string, isKeyed: 0 | 1]>';
  write(
    join(restClient, 'src'),
    'rows.ts',
    `export const rows = {\n${rows.join('\n')}\n} as const satisfies ${type};\n`,
  );
}

/** The generator needs a TypeScript with an API, which the project's own no longer has. */
function writeRestTypes(): void {
  const tool = join(restClient, 'node_modules', '.bin', 'openapi-typescript');
  if (!existsSync(tool)) run(restClient, 'npm', ['ci', '--no-fund', '--no-audit', '--prefer-offline']);
  const target = join(restClient, 'src', 'generated', 'api.ts');
  run(restClient, tool, [join(packageRoot, 'schema', 'openapi.json'), '--output', target]);
}

function writeDocuments(): void {
  const made = readFileSync(join(packageRoot, 'src', 'generated', 'operations.ts'), 'utf8');
  write(join(graphqlClient, 'src'), 'operations.ts', clientDocuments(made));
}

/** What the compiler reads documents of one's own with. */
function writeGqlTypes(): void {
  const tada = join(packageRoot, 'node_modules', 'gql.tada');
  const [declared, license] = ['dist/chunks/index-chunk.d.ts', 'LICENSE.md'].map((name) =>
    readFileSync(join(tada, name), 'utf8'),
  );
  write(join(graphqlClient, 'src'), 'tada.ts', readingTypes(declared ?? '', license ?? ''));
  write(join(graphqlClient, 'src'), 'schema.ts', schemaTypes(buildSchema(contract('schema.graphql'))));
}

/** What the mocks answer. */
function writeAnswers(): void {
  const described = JSON.parse(contract('openapi.json'));
  const schema = buildSchema(contract('schema.graphql'));
  write(join(restClient, 'src'), 'answers.ts', restAnswers(described));
  write(join(graphqlClient, 'src'), 'answers.ts', graphqlAnswers(described, schema));
}

const versionIn = (folder: string): string =>
  (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;

type Entries = Readonly<Record<string, string>>;

/** The mocks name all operations: in one bundle with them, every frontend would carry a list of the names. */
const operationsBeside = {
  name: 'operations-beside',
  resolveId: (source: string) =>
    source === './generated/operations.ts' ? { id: './operations.js', external: true } : null,
};

async function bundle(folder: string, entries: Entries, plugins: (typeof operationsBeside)[] = []) {
  const input = Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(folder, path)]));
  const made = await rolldown({ input, external: ['msw'], platform: 'neutral', logLevel: 'warn', plugins });
  await made.write({ dir: join(folder, 'dist'), format: 'esm', entryFileNames: '[name].js', minify: true });
}

async function build(folder: string, entries: Entries): Promise<void> {
  if (versionIn(folder) !== versionIn(packageRoot))
    throw new Error(`${folder} has another version than the gateway.`);
  rmSync(join(folder, 'dist'), { recursive: true, force: true });
  run(packageRoot, join(packageRoot, 'node_modules', '.bin', 'tsc'), ['-p', folder]);
  await bundle(folder, entries);
  await bundle(folder, { mocks: 'src/mocks.ts' }, [operationsBeside]);
}

writeCodes();
writeEvents();
writeRows();
writeRestTypes();
writeDocuments();
writeGqlTypes();
writeAnswers();
await build(restClient, { index: 'src/index.ts' });
await build(graphqlClient, {
  index: 'src/index.ts',
  operations: 'src/generated/operations.ts',
  gql: 'src/gql.ts',
});
copyFileSync(join(packageRoot, 'schema', 'schema.graphql'), join(graphqlClient, 'dist', 'schema.graphql'));
