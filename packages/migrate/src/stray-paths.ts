/** Finds REST paths outside of the calls that the codemod knows, such as arguments of a program's own functions. */
import { Node, type SourceFile, SyntaxKind } from 'ts-morph';
import { describeNode } from './migration-file.ts';
import type { Finding } from './report.ts';

const literalKinds = [
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateExpression,
] as const;

/** Constants are found by the calls that use them. */
const isNamed = (node: Node): boolean =>
  Node.isVariableDeclaration(node.getParent()) || Node.isPropertyDeclaration(node.getParent());

const isInType = (node: Node): boolean =>
  node.getAncestors().some((ancestor) => Node.isTypeNode(ancestor) || Node.isInterfaceDeclaration(ancestor));

export function findStrayPaths(file: SourceFile, root: string, planned: readonly Finding[]): Finding[] {
  const findings = literalKinds.flatMap((kind) =>
    file
      .getDescendantsOfKind(kind)
      .filter((node) => /\/v1\//.test(node.getText()) && !isNamed(node) && !isInType(node))
      .map((node) => ({ node, described: describeNode(node, root) })),
  );
  const isPlanned = (node: Node) =>
    node
      .getAncestors()
      .filter(Node.isCallExpression)
      .map((call) => describeNode(call, root))
      .some((call) =>
        planned.some(
          (found) => found.line === call.line && found.call === call.call && found.file === call.file,
        ),
      );
  return findings
    .filter(({ node }) => !isPlanned(node))
    .map(({ described }) => ({ ...described, reason: 'the path is not in a call of fetch or of a client' }));
}
