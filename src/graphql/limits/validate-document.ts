/** Parses a document, checks its size limits and validates it, in this order: oversized documents are rejected before the expensive validation. */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  isObjectType,
  NoFragmentCyclesRule,
  parse,
  type SelectionNode,
  specifiedRules,
  validate,
} from 'graphql';
import { applyRenamedFields } from '../execute/apply-renamed-fields.ts';
import { applyRenamedTypes, mayUseRenamedTypes } from '../execute/apply-renamed-types.ts';
import { graphqlBadRequestError, graphqlValidationError } from '../execute/request-errors.ts';
import { findLiteralProblems } from './find-literal-problems.ts';
import { measureGraphqlDocument } from './measure-document.ts';
import { queryLimitError } from './query-cost.ts';
import { incrementalDirectiveValidationRules } from './validate-incremental-directives.ts';

/**
 * Whether a subscription may have no root field. graphql-js evaluates the directives without variables while it validates, and fails
 * while it executes a subscription whose root field is skipped.
 */
function hasConditionalSubscriptionRoot(document: DocumentNode): boolean {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of document.definitions)
    if (node.kind === 'FragmentDefinition') fragments.set(node.name.value, node);
  const visited = new Set<string>();

  function isConditional(selection: SelectionNode): boolean {
    if (selection.directives?.some(({ name }) => name.value === 'skip' || name.value === 'include'))
      return true;
    if (selection.kind === 'Field') return false;
    if (selection.kind === 'InlineFragment') return selection.selectionSet.selections.some(isConditional);
    const name = selection.name.value;
    if (visited.has(name)) return false;
    visited.add(name);
    return fragments.get(name)?.selectionSet.selections.some(isConditional) ?? false;
  }

  return document.definitions.some(
    (node) =>
      node.kind === 'OperationDefinition' &&
      node.operation === 'subscription' &&
      node.selectionSet.selections.some(isConditional),
  );
}

export interface GraphqlDocumentLimits {
  characters: number;
  tokens: number;
  depth: number;
  /** Fields of an operation, with fragments expanded. */
  breadth: number;
  cost: number;
}

/** All definitions together may have this many times the fields of one operation. */
const totalFactor = 10;

/** Limit of pairs that validation has to compare, see overlapping-fields.ts. */
const maxPairs = 20_000;

export interface GraphqlDocumentValidation {
  readonly document: DocumentNode | undefined;
  readonly errors: readonly GraphQLError[];
  /** Fields of the largest operation, with fragments expanded. */
  readonly fields: number;
}

export function validateGraphqlDocument(
  schema: GraphQLSchema,
  source: string,
  limits: GraphqlDocumentLimits,
): GraphqlDocumentValidation {
  const tooLong = queryLimitError(source.length, limits.characters, 'long');
  if (tooLong) return { document: undefined, errors: [tooLong], fields: 0 };
  let document: DocumentNode;
  try {
    document = parse(source, { maxTokens: limits.tokens });
    if (mayUseRenamedTypes(source)) document = applyRenamedTypes(schema, document);
  } catch (error) {
    const syntaxError =
      error instanceof GraphQLError ? error : graphqlBadRequestError('The document cannot be parsed.');
    return { document: undefined, errors: [syntaxError], fields: 0 };
  }
  const bounds = { fields: limits.breadth, total: limits.breadth * totalFactor, pairs: maxPairs };
  const { fields, depth, total, pairs = 0 } = measureGraphqlDocument(document, bounds);
  const sizeError =
    queryLimitError(depth, limits.depth, 'deep') ??
    queryLimitError(fields, limits.breadth, 'wide') ??
    queryLimitError(total, bounds.total, 'wide') ??
    queryLimitError(pairs, bounds.pairs, 'repetitive');
  if (!sizeError) {
    const validated = validateWithRenamedFields(schema, document);
    const { errors } = validated;
    return { ...validated, errors: errors.length > 0 ? errors : findLiteralErrors(document), fields };
  }
  const cycleErrors =
    fields === Number.POSITIVE_INFINITY
      ? validate(schema, document, [NoFragmentCyclesRule], { maxErrors })
      : [];
  return { document, errors: cycleErrors.length > 0 ? cycleErrors : [sizeError], fields: 0 };
}

const maxErrors = 20;
const rules = [...specifiedRules, ...incrementalDirectiveValidationRules];

/** Documents of the present schema are validated once; others are validated again under the names that fields have now. */
function validateWithRenamedFields(schema: GraphQLSchema, document: DocumentNode) {
  const errors = validateRules(schema, document);
  const renamed = errors.length > 0 ? applyRenamedFields(schema, document) : document;
  return renamed === document
    ? { document, errors }
    : { document: renamed, errors: validateRules(schema, renamed) };
}

function validateRules(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  return hasConditionalSubscriptionRoot(document)
    ? [graphqlBadRequestError('The root field of a subscription must not have @skip or @include.')]
    : validate(schema, document, rules, { maxErrors }).map((error) => addNames(schema, error));
}

const maxNamesLength = 300;

/** An unknown field or argument without a similar name gets the names of all, if there are few. */
function addNames(schema: GraphQLSchema, error: GraphQLError): GraphQLError {
  const [, fieldType] = /^Cannot query field "\w+" on type "(\w+)"\.$/.exec(error.message) ?? [];
  const [, argumentType, fieldName = ''] =
    /^Unknown argument "\w+" on field "(\w+)\.(\w+)"\.$/.exec(error.message) ?? [];
  const type = schema.getType(fieldType ?? argumentType ?? '');
  if (!isObjectType(type)) return error;
  const fields = type.getFields();
  const candidates = fieldType === undefined ? (fields[fieldName]?.args ?? []) : Object.values(fields);
  const present = candidates.filter(({ deprecationReason }) => !deprecationReason);
  const names = present.map(({ name }) => name).join(', ');
  if (names === '' || names.length > maxNamesLength) return error;
  const { nodes = null, source, positions } = error;
  const kind = fieldType === undefined ? 'arguments' : 'fields';
  return new GraphQLError(`${error.message} Its ${kind} are ${names}.`, { nodes, source, positions });
}

/** Literals have the limits of variables, and are reported by the same error. */
function findLiteralErrors(document: DocumentNode): GraphQLError[] {
  const details = findLiteralProblems(document);
  return details.length === 0 ? [] : [graphqlValidationError('The literals are not valid.', details)];
}
