/** Finds REST paths outside of the calls that the codemod knows, such as arguments of a program's own functions. */
import { Node, type SourceFile, SyntaxKind, type VariableDeclaration } from 'ts-morph';
import { describeNode } from './migration-file.ts';
import type { Finding } from './report.ts';

const literalKinds = [
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateExpression,
] as const;

/** The prefix alone is a URL that paths are appended to. */
const hasRestPath = (node: Node) => /\/v1(?![\w-])/.test(node.getText());

const isInTypeOrModuleName = (node: Node): boolean =>
  Node.isImportDeclaration(node.getParent()) ||
  Node.isExportDeclaration(node.getParent()) ||
  node
    .getAncestors()
    .some(
      (ancestor) =>
        Node.isTypeNode(ancestor) || Node.isInterfaceDeclaration(ancestor) || isModuleCall(ancestor),
    );

const isModuleCall = (node: Node): boolean =>
  Node.isCallExpression(node) && /^(import|require)$/.test(node.getExpression().getText());

/** `planned`: calls in the report. */
export function findStrayPaths(file: SourceFile, root: string, planned: ReadonlySet<Node>): Finding[] {
  const isPlanned = (node: Node) => node.getAncestors().some((ancestor) => planned.has(ancestor));
  return literalKinds
    .flatMap((kind) => file.getDescendantsOfKind(kind))
    .filter((node) => hasRestPath(node) && !isInTypeOrModuleName(node) && !isPlanned(node))
    .flatMap((node): Finding[] => {
      const described = describeNode(node, root);
      const declaration = declarationOf(node);
      if (!declaration) return [{ ...described, reason: strayReason }];
      const uses = listUnplannedUses(declaration, isPlanned, new Set());
      if (uses.length === 0) return [];
      const places = new Set(
        uses.map((use) => `${describeNode(use, root).file}:${use.getStartLineNumber()}`),
      );
      return [
        {
          ...described,
          reason: `${strayReason}, but in a variable that is used at ${[...places].join(', ')}`,
        },
      ];
    });
}

const strayReason = 'the path is not in a call of fetch or of a client';

type NamedValue = Pick<VariableDeclaration, 'findReferencesAsNodes'> & Node;

/** The variable or property whose value the node is a part of. */
function declarationOf(node: Node): NamedValue | undefined {
  const owner = node.getAncestors().find((ancestor) => !isPartOfText(ancestor));
  if (Node.isPropertyDeclaration(owner)) return owner;
  return Node.isVariableDeclaration(owner) && Node.isIdentifier(owner.getNameNode()) ? owner : undefined;
}

const isPartOfText = (node: Node): boolean =>
  Node.isTemplateSpan(node) ||
  Node.isTemplateExpression(node) ||
  Node.isBinaryExpression(node) ||
  Node.isParenthesizedExpression(node) ||
  Node.isAsExpression(node);

/** Uses that are in no planned call; those of a constant of which the value is a part, instead of that part. */
function listUnplannedUses(
  declaration: NamedValue,
  isPlanned: (node: Node) => boolean,
  visited: Set<Node>,
): Node[] {
  if (visited.has(declaration)) return [];
  visited.add(declaration);
  return declaration.findReferencesAsNodes().flatMap((use) => {
    if (isPlanned(use) || use.getParent() === declaration || isImported(use)) return [];
    const next = declarationOf(use);
    return next ? listUnplannedUses(next, isPlanned, visited) : [use];
  });
}

const isImported = (use: Node): boolean =>
  Node.isImportSpecifier(use.getParent()) || Node.isExportSpecifier(use.getParent());
