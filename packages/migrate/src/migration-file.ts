/** A source file during the migration: planned replacements of expressions, and the imports that they need. */
import { type Node, type SourceFile, SyntaxKind } from 'ts-morph';
import { NotRewritable } from './object-entries.ts';
import { operationsModule, restModule } from './package-names.ts';
import type { Finding } from './report.ts';
import type { MigrationRoute } from './route-table.ts';

export interface Replacement {
  node: Node;
  text: string;
  route: MigrationRoute | undefined;
  /** Names imported from `@duet-gateway/client-graphql/rest`. */
  helpers: readonly string[];
}

export interface Plan {
  /** The call, or the import. */
  node: Node;
  finding: Finding;
  /** Undefined if the call is left. */
  replacement?: Replacement;
}

/** Text of a call for the report, on one line. */
const summaryOf = (node: Node): string => {
  const text = node.getText().replace(/\s+/g, ' ');
  return (text.length > 80 ? `${text.slice(0, 79)}…` : text).replaceAll('`', "'");
};

/** Line in the original file, before any replacement. */
export const describeNode = (node: Node, root: string): Pick<Finding, 'file' | 'line' | 'call'> => ({
  file: node
    .getSourceFile()
    .getFilePath()
    .slice(root.length + 1),
  line: node.getStartLineNumber(),
  call: summaryOf(node),
});

/** Runs `plan`; the reason of a NotRewritable becomes a finding. */
export function tryToPlan(node: Node, root: string, plan: () => Replacement): Plan {
  const described = describeNode(node, root);
  try {
    const replacement = plan();
    return { node, replacement, finding: { ...described, operation: replacement.route?.operation } };
  } catch (error) {
    if (!(error instanceof NotRewritable)) throw error;
    return { node, finding: { ...described, reason: error.message } };
  }
}

/** Applies the replacements of a file, the last first, so that the positions of the others stay valid; then adds imports. */
export function applyReplacements(file: SourceFile, replacements: readonly Replacement[]): void {
  const edits = replacements
    .map(({ node, text }) => ({ start: node.getStart(), end: node.getEnd(), text }))
    .sort((a, b) => b.start - a.start);
  const before = file.getFullText();
  let text = before;
  for (const edit of edits) text = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
  file.replaceWithText(text);
  const documents = replacements.flatMap(({ route }) => (route ? [`${route.operation}Document`] : []));
  addImports(file, operationsModule, documents);
  addImports(
    file,
    restModule,
    replacements.flatMap(({ helpers }) => helpers),
  );
  removeUnused(file, before);
}

const countUses = (text: string, name: string) => text.match(new RegExp(`\\b${name}\\b`, 'g'))?.length ?? 0;

/** Removes imports and constants that only the replaced calls used. */
function removeUnused(file: SourceFile, before: string): void {
  const after = file.getFullText();
  const isUnused = (name: string) => countUses(before, name) > 1 && countUses(after, name) === 1;
  for (const declaration of file.getDescendantsOfKind(SyntaxKind.VariableDeclaration)) {
    const isPure = /^(?:[`'"{]|new URLSearchParams\()/.test(declaration.getInitializer()?.getText() ?? '');
    if (isPure && isUnused(declaration.getName())) declaration.remove();
  }
  for (const declaration of file.getImportDeclarations()) {
    const specifiers = declaration.getNamedImports();
    const unused = specifiers.filter((specifier) => isUnused(specifier.getName()));
    if (unused.length > 0 && unused.length === specifiers.length && !declaration.getDefaultImport())
      declaration.remove();
    else for (const specifier of unused) specifier.remove();
  }
}

function addImports(file: SourceFile, module: string, names: readonly string[]): void {
  const existing = file.getImportDeclaration(
    (declaration) => declaration.getModuleSpecifierValue() === module && !declaration.isTypeOnly(),
  );
  const imported = new Set(existing?.getNamedImports().map((specifier) => specifier.getName()));
  const missing = [...new Set(names)].filter((name) => !imported.has(name)).sort();
  if (missing.length === 0) return;
  if (existing) existing.addNamedImports(missing);
  else {
    const last = file.getImportDeclarations().at(-1);
    const index = last ? last.getChildIndex() + 1 : 0;
    file.insertImportDeclaration(index, { moduleSpecifier: module, namedImports: missing });
  }
}
