/** Surrogate keys of queries that read only the storefront of a business. */
import {
  type DocumentNode,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  type OperationDefinitionNode,
  separateOperations,
  TypeInfo,
  type ValueNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { Context } from '../../context.ts';
import { isId } from '../../lib/ids.ts';
import { getPothosFieldOptions } from '../../vendor/pothos/field-extensions.ts';
import type { Variables } from '../execute/coerce-variables.ts';
import { isStorefrontScope } from './auth-scopes.ts';

type List = 'products' | 'entries';

/** Types whose records are purged one by one. A change of any other record purges its whole business. */
const listOfType: Readonly<Record<string, List>> = {
  Product: 'products',
  ProductConnection: 'products',
  Suggestion: 'products',
  Entry: 'entries',
  EntryConnection: 'entries',
};
/** Root fields that return one record by the argument `id`. */
const listOfRecordField: Readonly<Record<string, List>> = { product: 'products', entry: 'entries' };

interface PublicReadPlan {
  lists: ReadonlySet<List>;
  records: readonly { id: ValueNode | undefined; list: List }[];
}

/** Adds the surrogate keys of an operation that has succeeded to the request facts. */
export type RecordStorefrontRead = (variables: Variables, ctx: Context) => void;

export function createStorefrontReadRecorder(
  schema: GraphQLSchema,
  document: DocumentNode,
  node: OperationDefinitionNode,
): RecordStorefrontRead {
  let plan: PublicReadPlan | undefined | null = null;
  return (variables, { request: { publicRead } }) => {
    if (publicRead.businessIds.length === 0) return;
    if (plan === null) plan = createPublicReadPlan(schema, document, node);
    publicRead.tags = plan && toTags(plan, variables, publicRead.businessIds);
  };
}

/** Undefined if a root field reads anything other than a storefront. */
function createPublicReadPlan(
  schema: GraphQLSchema,
  document: DocumentNode,
  node: OperationDefinitionNode,
): PublicReadPlan | undefined {
  if (node.operation !== 'query') return undefined;
  const lists = new Set<List>();
  const records: PublicReadPlan['records'][number][] = [];
  let isStorefront = true;
  const info = new TypeInfo(schema);
  visit(
    separateOperations(document)[node.name?.value ?? ''] ?? document,
    visitWithTypeInfo(info, {
      Field({ name, arguments: args = [] }) {
        const field = info.getFieldDef();
        const isRoot = info.getParentType() === schema.getQueryType();
        if (isRoot && name.value !== '__typename' && !isStorefrontField(field)) isStorefront = false;
        const list = isRoot ? listOfRecordField[name.value] : undefined;
        if (list) records.push({ id: args.find((argument) => argument.name.value === 'id')?.value, list });
        else for (const reached of listsOfType(schema, field)) lists.add(reached);
      },
    }),
  );
  return isStorefront ? { lists, records } : undefined;
}

const isStorefrontField = (field: GraphQLField<unknown, Context> | undefined | null): boolean =>
  field != null && isStorefrontScope(getPothosFieldOptions(field)?.authScopes);

function listsOfType(
  schema: GraphQLSchema,
  field: GraphQLField<unknown, unknown> | undefined | null,
): List[] {
  const type = field && getNamedType(field.type);
  if (!type || !isCompositeType(type)) return [];
  const types = isAbstractType(type) ? schema.getPossibleTypes(type) : [type];
  return types.flatMap(({ name }) => listOfType[name] ?? []);
}

function toTags(
  { lists, records }: PublicReadPlan,
  variables: Variables,
  businessIds: readonly string[],
): string[] {
  const tags = new Set<string>(businessIds);
  const addList = (list: List) => {
    for (const businessId of businessIds) tags.add(`${businessId}.${list}`);
  };
  for (const list of lists) addList(list);
  for (const { id, list } of records) {
    const value = id?.kind === 'Variable' ? variables[id.name.value] : id && 'value' in id && id.value;
    // A slug may name another record after any change.
    if (typeof value === 'string' && isId(value)) tags.add(value.toLowerCase());
    else addList(list);
  }
  return [...tags];
}
