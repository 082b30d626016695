/**
 * Reads literals out of a domain's manifest.ts without running it: the generated code that the manifest imports
 * depends on these very values, so it does not exist yet in a fresh clone.
 */
import { readFileSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';

interface Node {
  type: string;
  [part: string]: unknown;
}

export interface Manifest {
  /** Names of all exported constants. */
  exports: ReadonlySet<string>;
  permissions: Readonly<Record<string, string>>;
  webhookEvents: Readonly<Record<string, string>>;
  liveTopics: readonly string[];
}

/** Exported constants of a module by name, each with its initial value. */
function exportedConstants(file: string): Map<string, Node> {
  const program = parseAst(readFileSync(file, 'utf8'), { lang: 'ts' }) as unknown as { body: Node[] };
  const constants = new Map<string, Node>();
  for (const { type, declaration } of program.body)
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

export function readManifest(file: string): Manifest {
  const constants = exportedConstants(file);
  const literalOf = (name: string, otherwise: unknown) => {
    const node = constants.get(name);
    return node ? literalValue(file, node) : otherwise;
  };
  return {
    exports: new Set(constants.keys()),
    permissions: literalOf('permissions', {}) as Manifest['permissions'],
    webhookEvents: literalOf('webhookEvents', {}) as Manifest['webhookEvents'],
    liveTopics: literalOf('liveTopics', []) as Manifest['liveTopics'],
  };
}
