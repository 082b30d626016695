/**
 * Declarations of a domain that the gateway collects, and its modules with side effects, read without running them: the generated code that
 * they import depends on these very values, so it does not exist yet in a fresh clone.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

interface Node {
  type: string;
  [part: string]: unknown;
}

export interface DeclarationFile {
  path: string;
  /** Names of all exported constants. */
  exports: ReadonlySet<string>;
  permissions: Readonly<Record<string, string>>;
  webhookEvents: Readonly<Record<string, string>>;
  liveTopics: readonly string[];
}

const partsByExport: Readonly<Record<string, string>> = {
  permissions: 'permissions',
  webhookEvents: 'webhook-events',
  liveTopics: 'live-topics',
  jobs: 'jobs',
  retentionRules: 'retention-rules',
};

const declarationFileName = new RegExp(`^(?:${Object.values(partsByExport).join('|')}|-and-|-)+\\.ts$`);

/** The name of the file that exports these lists: `jobs.ts`, `permissions-jobs-and-retention-rules.ts`. */
function declarationFileNameOf(exports: readonly string[]): string {
  const parts = exports.map((name) => partsByExport[name] ?? name);
  const last = parts.pop() ?? '';
  return `${parts.length === 0 ? last : `${parts.join('-')}-and-${last}`}.ts`;
}

const parseModule = (file: string) =>
  (parseAst(readFileSync(file, 'utf8'), { lang: 'ts' }) as unknown as { body: Node[] }).body;

/** Exported constants of a module by name, each with its initial value. */
function exportedConstants(file: string): Map<string, Node> {
  const constants = new Map<string, Node>();
  for (const { type, declaration } of parseModule(file))
    if (type === 'ExportNamedDeclaration' && (declaration as Node | null)?.type === 'VariableDeclaration')
      for (const { id, init } of (declaration as Node).declarations as Node[])
        constants.set(String((id as Node).name), init as Node);
  return constants;
}

/** The value of an object, array or string literal. */
function literalValue(file: string, node: Node): unknown {
  switch (node.type) {
    case 'Literal':
      return node.value;
    case 'ArrayExpression':
      return (node.elements as Node[]).map((element) => literalValue(file, element));
    case 'ObjectExpression':
      return Object.fromEntries(
        (node.properties as Node[]).map(({ key, value }) => {
          const { name, value: text } = key as { name?: string; value?: string };
          return [name ?? text, literalValue(file, value as Node)];
        }),
      );
    default:
      throw new Error(
        `${file}: permissions, webhookEvents and liveTopics must be literals, not ${node.type}.`,
      );
  }
}

function readDeclarationFile(path: string): DeclarationFile {
  const constants = exportedConstants(path);
  const expectedName = declarationFileNameOf([...constants.keys()]);
  if (basename(path) !== expectedName)
    throw new Error(`${path}: the name of the file must list its exports, in this order: ${expectedName}.`);
  const literalOf = (name: string, otherwise: unknown) => {
    const node = constants.get(name);
    return node ? literalValue(path, node) : otherwise;
  };
  return {
    path,
    exports: new Set(constants.keys()),
    permissions: literalOf('permissions', {}) as DeclarationFile['permissions'],
    webhookEvents: literalOf('webhookEvents', {}) as DeclarationFile['webhookEvents'],
    liveTopics: literalOf('liveTopics', []) as DeclarationFile['liveTopics'],
  };
}

/** Files in the folder of a domain that are named after the lists that they export. */
export const readDeclarationFiles = (folder: string): DeclarationFile[] =>
  readdirSync(folder)
    .filter((name) => declarationFileName.test(name))
    .sort()
    .map((name) => readDeclarationFile(`${folder}/${name}`));

const schemaFileName = /(?:^|\/)(?:queries|mutations|subscriptions)\.ts$/;

/** Modules that are imported for their effect, such as fields and registrations: those without exports, and the root fields, which come last. */
export function listModulesWithEffects(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort();
  const isWithoutExports = (name: string) =>
    !parseModule(`${folder}/${name}`).some(({ type }) => type.startsWith('Export'));
  return [
    ...files.filter((name) => !schemaFileName.test(name) && isWithoutExports(name)),
    ...files.filter((name) => schemaFileName.test(name)),
  ].map((name) => `${folder}/${name}`);
}
