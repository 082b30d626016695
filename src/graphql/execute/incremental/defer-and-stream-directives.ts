/** The directives @defer and @stream, and the documents that use them. */
import {
  DirectiveLocation,
  type DirectiveNode,
  type DocumentNode,
  GraphQLBoolean,
  GraphQLDirective,
  type GraphQLError,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLString,
  Kind,
  type ValueNode,
  valueFromASTUntyped,
  visit,
} from 'graphql';
import type { ErrorDetail } from '../../../errors.ts';
import type { Variables } from '../coerce-variables.ts';
import type { ParsedOperation } from '../operation-compiler-types.ts';
import { graphqlValidationError } from '../request-errors.ts';

const conditionAndLabel = {
  if: {
    type: new GraphQLNonNull(GraphQLBoolean),
    defaultValue: true,
    description: 'False: part of the first result, as without the directive.',
  },
  label: { type: GraphQLString, description: 'Repeated in each part, and unique in the document.' },
};

export const deferDirective = new GraphQLDirective({
  name: 'defer',
  description:
    'The fields of the fragment may follow the first result as a part. Only for clients that accept `multipart/mixed` or `text/event-stream`.',
  locations: [DirectiveLocation.FRAGMENT_SPREAD, DirectiveLocation.INLINE_FRAGMENT],
  args: conditionAndLabel,
});

export const streamDirective = new GraphQLDirective({
  name: 'stream',
  description:
    'The items of the list after `initialCount` may follow the first result as parts. Only for clients that accept `multipart/mixed` or `text/event-stream`.',
  locations: [DirectiveLocation.FIELD],
  args: {
    ...conditionAndLabel,
    initialCount: {
      type: new GraphQLNonNull(GraphQLInt),
      defaultValue: 0,
      description: 'Items in the first result, at least 0.',
    },
  },
});

export const incrementalDirectives: readonly GraphQLDirective[] = [deferDirective, streamDirective];

export const isIncrementalDirective = ({ name }: DirectiveNode): boolean =>
  name.value === 'defer' || name.value === 'stream';

/** Whether a client switched the directive off in the document itself. */
export const isIncrementalDirectiveSwitchedOff = (directive: DirectiveNode): boolean =>
  directive.arguments?.some(
    ({ name, value }) => name.value === 'if' && value.kind === Kind.BOOLEAN && !value.value,
  ) ?? false;

export function usesIncrementalDirectives(document: DocumentNode): boolean {
  // Most documents contain no directive.
  if (!document.loc?.source.body.includes('@')) return false;
  let isUsed = false;
  visit(document, {
    Directive(node) {
      if (isIncrementalDirective(node) && !isIncrementalDirectiveSwitchedOff(node)) isUsed = true;
    },
  });
  return isUsed;
}

/** The schema cannot restrict the variables of `initialCount` to 0 and above. */
export function findNegativeInitialCountError(
  { document, node }: Pick<ParsedOperation, 'document' | 'node'>,
  variables: Variables,
): GraphQLError | undefined {
  const details = new Map<string, ErrorDetail>();
  visit(document, {
    Directive({ name: directive, arguments: argumentNodes = [] }) {
      if (directive.value !== 'stream') return;
      for (const { name, value } of argumentNodes) {
        if (name.value !== 'initialCount' || value.kind !== Kind.VARIABLE) continue;
        const field = value.name.value;
        const definition = node.variableDefinitions?.find(({ variable }) => variable.name.value === field);
        const count = variables[field] ?? valueFromASTUntyped(definition?.defaultValue ?? zero);
        if (Number(count) < 0)
          details.set(field, { field, error: 'TOO_SMALL', message: 'Must be at least 0.' });
      }
    },
  });
  return details.size > 0
    ? graphqlValidationError('The variables are not valid.', [...details.values()])
    : undefined;
}

const zero: ValueNode = { kind: Kind.INT, value: '0' };
