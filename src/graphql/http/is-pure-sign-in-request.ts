/** Detects sign-in requests from the body of a GraphQL request; under overload the request guard admits them first. */
import { Kind, type OperationDefinitionNode, OperationTypeNode, parse, type SelectionNode } from 'graphql';
import { isPlainObject } from '../../lib/json/plain-objects.ts';
import type { TrustedDocumentRegistry } from './trusted-documents.ts';

const signInFields = new Set(['login', 'tryLogin', 'refresh']);
/** Sign-in requests are short; longer bodies are not examined. */
export const maxSignInBytes = 4096;
const maxTokens = 200;

/** Bodies without these words are not parsed. */
const signInWords = /\b(?:login|tryLogin|refresh)\b|documentId|sha256Hash/;

export function isPureSignInRequest(
  documents: Pick<TrustedDocumentRegistry, 'resolve'>,
  body: Buffer,
): boolean {
  if (body.length > maxSignInBytes) return false;
  const text = body.toString();
  if (!signInWords.test(text)) return false;
  try {
    const params: unknown = JSON.parse(text);
    const source = isPlainObject(params) ? documents.resolve(params) : undefined;
    return typeof source === 'string' && onlySignsIn(source);
  } catch {
    return false;
  }
}

/** True only if all operations are sign-ins: other fields must not share the priority. */
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
  selection.kind === Kind.FIELD && signInFields.has(selection.name.value);
