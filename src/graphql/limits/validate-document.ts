/** Parses, weighs and validates a document, in this order: nothing expensive is done with what is too heavy. */
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  NoFragmentCyclesRule,
  parse,
  validate,
} from 'graphql';
import { requestError } from '../execute/request-errors.ts';
import { measureDocument } from './document-size.ts';

export interface DocumentLimits {
  characters: number;
  tokens: number;
  depth: number;
  /** Fields of an operation, with fragments expanded. */
  breadth: number;
  cost: number;
}

/** Fields of all definitions together, for each field that one may have. */
const maxTotal = 10;

/** Selections of the same name, or fragments, that have to be compared with each other. */
const maxPairs = 20_000;

export interface ValidatedDocument {
  readonly document: DocumentNode | undefined;
  readonly errors: readonly GraphQLError[];
  /** Fields of its largest operation, with fragments expanded. */
  readonly fields: number;
}

export function validateDocument(
  schema: GraphQLSchema,
  source: string,
  limits: DocumentLimits,
): ValidatedDocument {
  const tooLong = limitError(source.length, limits.characters, 'long');
  if (tooLong) return { document: undefined, errors: [tooLong], fields: 0 };
  let document: DocumentNode;
  try {
    document = parse(source, { maxTokens: limits.tokens });
  } catch (error) {
    const unreadable = error instanceof GraphQLError ? error : requestError('The document cannot be read.');
    return { document: undefined, errors: [unreadable], fields: 0 };
  }
  const bounds = { fields: limits.breadth, total: limits.breadth * maxTotal, pairs: maxPairs };
  const { fields, depth, total, pairs = 0 } = measureDocument(document, bounds);
  const tooHeavy =
    limitError(depth, limits.depth, 'deep') ??
    limitError(fields, limits.breadth, 'wide') ??
    limitError(total, bounds.total, 'wide') ??
    limitError(pairs, bounds.pairs, 'repetitive');
  if (!tooHeavy) return { document, errors: validate(schema, document, undefined, { maxErrors }), fields };
  const circles =
    fields === Number.POSITIVE_INFINITY
      ? validate(schema, document, [NoFragmentCyclesRule], { maxErrors })
      : [];
  return { document, errors: circles.length > 0 ? circles : [tooHeavy], fields: 0 };
}

const maxErrors = 20;

export const limitError = (value: number, limit: number, how: string) =>
  value > limit
    ? requestError(
        `The query is too ${how} (${value}, at most ${limit}). Ask for fewer fields, or for smaller pages.`,
      )
    : undefined;
