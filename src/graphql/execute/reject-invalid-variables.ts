/** Says no to faulty variables in the order a resolver would: sign in first, permission next, all faults last. */
import { RequestCache } from '@pothos/plugin-scope-auth';
import {
  type FieldNode,
  type GraphQLField,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  valueFromAST,
} from 'graphql';
import type { Context } from '../../context.ts';
import { type ErrorDetail, validationErrorFrom } from '../../errors.ts';
import { clientFieldPath } from '../../lib/validation/input.ts';
import { type AuthScopes, unauthorizedError } from '../schema/auth-scopes.ts';
import { builder } from '../schema/builder.ts';
import { argumentParserOf, rejectInBusiness } from '../schema/validated-resolver.ts';
import type { PreparedOperation } from './prepared-document.ts';

/** Asks the scopes and the check of the first root field; its resolver is not called. */
export function createVariableRejection(
  schema: GraphQLSchema,
  node: OperationDefinitionNode,
): PreparedOperation['rejectInvalid'] {
  const selection = node.selectionSet.selections[0];
  const name = selection?.kind === Kind.FIELD ? selection.name.value : '';
  const field = schema.getRootType(node.operation)?.getFields()[name];
  const inArguments = selection?.kind === Kind.FIELD ? argumentPaths(selection) : undefined;
  return async (variables, issues, ctx) => {
    if (!field || selection?.kind !== Kind.FIELD) throw validationErrorFrom(issues);
    const sent = selection.arguments ?? [];
    const args = Object.fromEntries(
      field.args.map((arg) => {
        const value = sent.find((other) => other.name.value === arg.name)?.value;
        return [arg.name, valueFromAST(value, arg.type, variables) ?? arg.defaultValue];
      }),
    );
    await authorise(field, args, ctx);
    let faults: unknown = validationErrorFrom(issues);
    try {
      if (inArguments) argumentParserOf(field)?.(ctx, args, issues.map(inArguments));
    } catch (all) {
      faults = all;
    }
    return rejectInBusiness(ctx, args, faults);
  };
}

/**
 * Faults of variables, named as a check names them: by the argument that the variable is sent as. Undefined: variables stand inside
 * of literals, and what the rules would say of a literal with holes is of no use.
 */
function argumentPaths({
  arguments: sent = [],
}: FieldNode): ((issue: ErrorDetail) => ErrorDetail) | undefined {
  const named = new Map<string, string>();
  for (const { name, value } of sent) {
    if (value.kind === Kind.OBJECT || value.kind === Kind.LIST) return undefined;
    if (value.kind === Kind.VARIABLE) named.set(value.name.value, name.value);
  }
  return (issue) => {
    const [variable = '', ...inside] = issue.field.split('.');
    const argument = named.get(variable);
    return argument === undefined ? issue : { ...issue, field: clientFieldPath([argument, ...inside]) };
  };
}

type ScopeMap = Partial<AuthScopes> | boolean;

async function authorise(field: GraphQLField<unknown, Context>, args: object, ctx: Context): Promise<void> {
  const { authScopes } = field.extensions.pothosOptions as {
    authScopes?: ScopeMap | ((root: unknown, args: object, ctx: Context) => ScopeMap | Promise<ScopeMap>);
  };
  if (!authScopes) return;
  const scopes = typeof authScopes === 'function' ? await authScopes(undefined, args, ctx) : authScopes;
  if (await RequestCache.fromContext(ctx, builder).evaluateScopeMap(scopes))
    throw unauthorizedError(undefined, ctx);
}
