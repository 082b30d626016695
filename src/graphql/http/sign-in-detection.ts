/** Tells sign-ins from other GraphQL requests by a look at the body, for those who have to choose whom to serve first. */
import { Kind, type OperationDefinitionNode, OperationTypeNode, parse, type SelectionNode } from 'graphql';
import { isPlainObject } from '../../lib/json/plain-objects.ts';
import type { DocumentRegistry } from './trusted-documents.ts';

const fields = new Set(['login', 'tryLogin', 'refresh']);
/** A sign-in is short. */
export const maxSignInBytes = 4096;
const maxTokens = 200;

/** What has none of these words is none: nothing is parsed for it. */
const mayBe = /\b(?:login|tryLogin|refresh)\b|documentId|sha256Hash/;

export function isSignInRequest(documents: Pick<DocumentRegistry, 'resolve'>, body: Buffer): boolean {
  if (body.length > maxSignInBytes) return false;
  const text = body.toString();
  if (!mayBe.test(text)) return false;
  try {
    const params: unknown = JSON.parse(text);
    const source = isPlainObject(params) ? documents.resolve(params) : undefined;
    return typeof source === 'string' && onlySignsIn(source);
  } catch {
    return false;
  }
}

/** Whatever else it asked for would come first with it. */
function onlySignsIn(source: string): boolean {
  const operations = parse(source, { maxTokens }).definitions.filter(
    (definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION,
  );
  if (operations.length === 0) return false;
  return operations.every(
    ({ operation, selectionSet }) =>
      operation === OperationTypeNode.MUTATION &&
      selectionSet.selections.length === 1 &&
      selectionSet.selections.every(isSignInField),
  );
}

const isSignInField = (selection: SelectionNode) =>
  selection.kind === Kind.FIELD && fields.has(selection.name.value);
