/** Parses a document, checks its size limits and validates it, in this order: oversized documents are rejected before the expensive validation. */
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  NoFragmentCyclesRule,
  parse,
  validate,
} from 'graphql';
import { graphqlBadRequestError } from '../execute/request-errors.ts';
import { measureGraphqlDocument } from './document-size.ts';

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
  if (!sizeError) return { document, errors: validate(schema, document, undefined, { maxErrors }), fields };
  const cycleErrors =
    fields === Number.POSITIVE_INFINITY
      ? validate(schema, document, [NoFragmentCyclesRule], { maxErrors })
      : [];
  return { document, errors: cycleErrors.length > 0 ? cycleErrors : [sizeError], fields: 0 };
}

const maxErrors = 20;

/** Undefined if the value is within the limit. */
export const queryLimitError = (value: number, limit: number, property: string) =>
  value > limit
    ? graphqlBadRequestError(
        `The query is too ${property} (${value}, at most ${limit}). Request fewer fields or smaller pages.`,
      )
    : undefined;
