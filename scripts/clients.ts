/** Builds the packages in packages/ from the contracts in schema/: `npm run clients`. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, isEnumType } from 'graphql';
import { rolldown } from 'rolldown';
import { httpStatusByErrorCode } from '../src/errors.ts';
import { packageRoot } from '../src/lib/package-info.ts';
import { clientDataFields } from '../src/rest/json-body.ts';
import { clientDocuments } from './client-documents.ts';
import { type Schemas, toTypeScript } from './event-payloads.ts';
import { documentTypes, schemaTypes } from './gql-types.ts';
import { type OpenApiPaths, printMigrationRoutes } from './migration-routes.ts';
import { graphqlMockResponses, restMockResponses } from './mock-responses.ts';

const packages = join(packageRoot, 'packages');
const restClient = join(packages, 'client-rest');
const graphqlClient = join(packages, 'client-graphql');
const migrate = join(packages, 'migrate');
const contentPlugin = join(packages, 'codegen-content');

const contract = (name: string) => readFileSync(join(packageRoot, 'schema', name), 'utf8');

function write(folder: string, name: string, text: string): void {
  mkdirSync(join(folder, 'generated'), { recursive: true });
  writeFileSync(join(folder, 'generated', name), text);
}

const run = (folder: string, command: string, args: string[]) =>
  execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });

/** Error codes and detail codes as TypeScript unions. */
function writeCodes(): void {
  const schema = buildSchema(contract('schema.graphql'));
  const union = (name: string) => {
    const type = schema.getType(name);
    const names = isEnumType(type) ? type.getValues().map((value) => `'${value.name}'`) : [];
    return `export type ${name} =\n  | ${names.join('\n  | ')};\n`;
  };
  write(join(packages, 'common'), 'codes.ts', `${union('ErrorCode')}\n${union('ErrorDetailCode')}`);
}

/** Webhook messages as a union that is discriminated by the event type. */
function writeEvents(): void {
  const { components } = JSON.parse(contract('openapi.json')) as { components: { schemas: Schemas } };
  const { schemas } = components;
  const messages = (schemas.WebhookMessage?.oneOf ?? []).map(
    (message) => `\n  | ${toTypeScript(message, schemas)}`,
  );
  const comment = '/** Body of a webhook request, discriminated by `type`. */';
  write(
    join(packages, 'common'),
    'events.ts',
    `${comment}\nexport type WebhookMessage =${messages.join('')};\n\nexport type WebhookType = WebhookMessage['type'];\n`,
  );
}

/** Rules of REST that the helpers for migrated clients apply. */
function writeRestRules(): void {
  write(
    join(graphqlClient, 'src'),
    'rest-rules.ts',
    `export const clientDataFields: readonly string[] = ${JSON.stringify([...clientDataFields])};
export const statusByErrorCode = ${JSON.stringify(httpStatusByErrorCode)} as const;
`,
  );
}

interface OpenApiOperation {
  operationId: string;
  'x-graphql-operation'?: string;
  parameters?: { $ref?: string }[];
}

/** Method, path, and 1 if the route accepts an idempotency key, by operation name. */
function writeRoutes(): void {
  const { paths } = JSON.parse(contract('openapi.json')) as {
    paths: Record<string, Record<string, OpenApiOperation>>;
  };
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation['x-graphql-operation'])
      .map(([method, { operationId, parameters = [] }]) => {
        const isKeyed = parameters.some(({ $ref }) => $ref?.endsWith('/Idempotency-Key'));
        return `  ${operationId}: ${JSON.stringify([method.toUpperCase(), path, isKeyed ? 1 : 0])},`;
      }),
  );
  const type = 'Record<string, readonly [method: string, path: string, isKeyed: 0 | 1]>';
  write(
    join(restClient, 'src'),
    'routes.ts',
    `export const routes = {\n${routes.join('\n')}\n} as const satisfies ${type};\n`,
  );
}

/** The generator needs the compiler API of TypeScript, which the TypeScript version of this project does not have. It is installed in packages/client-rest. */
function writeRestTypes(): void {
  const tool = join(restClient, 'node_modules', '.bin', 'openapi-typescript');
  if (!existsSync(tool)) run(restClient, 'npm', ['ci', '--no-fund', '--no-audit', '--prefer-offline']);
  const target = join(restClient, 'src', 'generated', 'api.ts');
  run(restClient, tool, [join(packageRoot, 'schema', 'openapi.json'), '--output', target]);
}

function writeDocuments(): void {
  const generated = readFileSync(join(packageRoot, 'src', 'generated', 'operations.ts'), 'utf8');
  write(join(graphqlClient, 'src'), 'operations.ts', clientDocuments(generated));
}

/** Types that the compiler parses documents of `gql` with. */
function writeGqlTypes(): void {
  const tada = join(packageRoot, 'node_modules', 'gql.tada');
  const [declarations, license] = ['dist/chunks/index-chunk.d.ts', 'LICENSE.md'].map((name) =>
    readFileSync(join(tada, name), 'utf8'),
  );
  write(join(graphqlClient, 'src'), 'tada.ts', documentTypes(declarations ?? '', license ?? ''));
  write(join(graphqlClient, 'src'), 'schema.ts', schemaTypes(buildSchema(contract('schema.graphql'))));
}

/** Responses of the mocks. */
function writeMockResponses(): void {
  const openApi = JSON.parse(contract('openapi.json'));
  const schema = buildSchema(contract('schema.graphql'));
  write(join(restClient, 'src'), 'answers.ts', restMockResponses(openApi));
  write(join(graphqlClient, 'src'), 'answers.ts', graphqlMockResponses(openApi, schema));
}

const versionIn = (folder: string): string =>
  (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;

type Entries = Readonly<Record<string, string>>;

/** Keeps the mocks in a separate bundle: they reference all operations by name, which would prevent tree-shaking in every frontend. */
const externalOperations = {
  name: 'external-operations',
  resolveId: (source: string) =>
    source === './generated/operations.ts' ? { id: './operations.js', external: true } : null,
};

async function bundle(folder: string, entries: Entries, plugins: (typeof externalOperations)[] = []) {
  const input = Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(folder, path)]));
  const build = await rolldown({ input, external: ['msw'], platform: 'neutral', logLevel: 'warn', plugins });
  await build.write({ dir: join(folder, 'dist'), format: 'esm', entryFileNames: '[name].js', minify: true });
}

/** Bundles of a client contain mocks for tests. */
async function buildClient(folder: string, entries: Entries): Promise<void> {
  await build(folder, entries);
  await bundle(folder, { mocks: 'src/mocks.ts' }, [externalOperations]);
}

function compileTypes(folder: string): void {
  if (versionIn(folder) !== versionIn(packageRoot))
    throw new Error(
      `${folder}/package.json: the version must be ${versionIn(packageRoot)}, that of the gateway.`,
    );
  rmSync(join(folder, 'dist'), { recursive: true, force: true });
  run(packageRoot, join(packageRoot, 'node_modules', '.bin', 'tsc'), ['-p', folder]);
}

/** The codemod, a command for Node; its library is installed with it. */
async function buildMigrate(): Promise<void> {
  const { paths } = JSON.parse(contract('openapi.json')) as { paths: OpenApiPaths };
  write(join(migrate, 'src'), 'routes.ts', printMigrationRoutes(paths));
  if (!existsSync(join(migrate, 'node_modules', 'ts-morph')))
    run(migrate, 'npm', ['ci', '--no-fund', '--no-audit', '--prefer-offline']);
  compileTypes(migrate);
  const bundled = await rolldown({
    input: join(migrate, 'src', 'cli.ts'),
    external: ['ts-morph'],
    platform: 'node',
  });
  await bundled.write({ dir: join(migrate, 'dist'), format: 'esm' });
}

async function build(folder: string, entries: Entries): Promise<void> {
  compileTypes(folder);
  await bundle(folder, entries);
}

writeCodes();
writeRestRules();
writeEvents();
writeRoutes();
writeRestTypes();
writeDocuments();
writeGqlTypes();
writeMockResponses();
await buildClient(restClient, { index: 'src/index.ts' });
await buildClient(graphqlClient, {
  index: 'src/index.ts',
  operations: 'src/generated/operations.ts',
  gql: 'src/gql.ts',
  content: 'src/content.ts',
  'rich-text': 'src/rich-text.ts',
  rest: 'src/rest.ts',
});
await build(contentPlugin, { index: 'src/index.ts' });
await buildMigrate();
copyFileSync(join(packageRoot, 'schema', 'schema.graphql'), join(graphqlClient, 'dist', 'schema.graphql'));
