/** Rejects invalid variables in the order of a resolver: authentication, then permission, then all validation errors. */
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
import { toClientFieldPath } from '../../lib/validation/input.ts';
import { getPothosFieldOptions } from '../../vendor/pothos/field-extensions.ts';
import { type AuthScopes, unauthorizedError } from '../schema/auth-scopes.ts';
import { builder } from '../schema/builder.ts';
import { argumentParserOf, throwNotFoundOrArgumentErrors } from '../schema/validated-resolver.ts';
import type { PreparedOperation } from './prepared-document-types.ts';

/** Evaluates the scopes and the argument parser of the first root field; its resolver is not called. */
export function createInvalidVariablesRejecter(
  schema: GraphQLSchema,
  node: OperationDefinitionNode,
): PreparedOperation['rejectInvalid'] {
  const selection = node.selectionSet.selections[0];
  const name = selection?.kind === Kind.FIELD ? selection.name.value : '';
  const field = schema.getRootType(node.operation)?.getFields()[name];
  const toArgumentPath = selection?.kind === Kind.FIELD ? createArgumentPathMapper(selection) : undefined;
  return async (variables, issues, ctx) => {
    if (!field || selection?.kind !== Kind.FIELD) throw validationErrorFrom(issues);
    const argumentNodes = selection.arguments ?? [];
    const args = Object.fromEntries(
      field.args.map((arg) => {
        const value = argumentNodes.find(({ name }) => name.value === arg.name)?.value;
        return [arg.name, valueFromAST(value, arg.type, variables) ?? arg.defaultValue];
      }),
    );
    await authorize(field, args, ctx);
    let errors: unknown = validationErrorFrom(issues);
    try {
      if (toArgumentPath) argumentParserOf(field)?.(ctx, args, issues.map(toArgumentPath));
    } catch (allErrors) {
      errors = allErrors;
    }
    return throwNotFoundOrArgumentErrors(ctx, args, errors);
  };
}

/**
 * Maps an error of a variable to the path of its argument, as used by the argument parser. Undefined if variables are nested in
 * literals: validating a literal with missing parts would report misleading errors.
 */
function createArgumentPathMapper({
  arguments: argumentNodes = [],
}: FieldNode): ((issue: ErrorDetail) => ErrorDetail) | undefined {
  const argumentByVariable = new Map<string, string>();
  for (const { name, value } of argumentNodes) {
    if (value.kind === Kind.OBJECT || value.kind === Kind.LIST) return undefined;
    if (value.kind === Kind.VARIABLE) argumentByVariable.set(value.name.value, name.value);
  }
  return (issue) => {
    const [variable = '', ...path] = issue.field.split('.');
    const argument = argumentByVariable.get(variable);
    return argument === undefined ? issue : { ...issue, field: toClientFieldPath([argument, ...path]) };
  };
}

type ScopeMap = Partial<AuthScopes> | boolean;

async function authorize(field: GraphQLField<unknown, Context>, args: object, ctx: Context): Promise<void> {
  const { authScopes } = getPothosFieldOptions(field) as {
    authScopes?: ScopeMap | ((root: unknown, args: object, ctx: Context) => ScopeMap | Promise<ScopeMap>);
  };
  if (!authScopes) return;
  const scopes = typeof authScopes === 'function' ? await authScopes(undefined, args, ctx) : authScopes;
  const failure = await RequestCache.fromContext(ctx, builder).evaluateScopeMap(scopes);
  if (failure) throw unauthorizedError(ctx, failure);
}
