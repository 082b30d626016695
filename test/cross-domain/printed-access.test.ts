/** The access directives of the printed subgraph say what the gateway enforces, for every root field. */
import { readFileSync } from 'node:fs';
import {
  buildASTSchema,
  type GraphQLField,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
  parse,
  print,
} from 'graphql';
import { beforeAll, expect, it } from 'vitest';
import { permissions } from '../../src/auth/permissions-and-default-roles.ts';
import { type Shop, type TestApp, testApp } from '../support/app.ts';
import { isInSampleOfDay } from '../support/daily-seed.ts';

const subgraph = buildASTSchema(parse(readFileSync('schema/subgraph.graphql', 'utf8')), {
  assumeValid: true,
});

interface RootField {
  kind: 'query' | 'mutation';
  name: string;
  /** Permissions of which one suffices; undefined without the directive. */
  sufficient: string[] | undefined;
  needsToken: boolean;
  field: GraphQLField<unknown, unknown>;
}

const rootFields = (
  [
    ['query', subgraph.getQueryType()],
    ['mutation', subgraph.getMutationType()],
  ] as const
)
  .flatMap(([kind, type]) =>
    Object.entries(type?.getFields() ?? {}).map(([name, field]): RootField => {
      const directives = (field.astNode?.directives ?? []).map((node) => print(node));
      const scopes = directives.find((text) => text.startsWith('@requiresScopes'));
      const sufficient = scopes && [...scopes.matchAll(/"(\w+)"/g)].map(([, scope = '']) => scope);
      const needsToken = directives.some((text) => /^@(?:authenticated|requiresScopes)/.test(text));
      return { kind, name, field, sufficient: sufficient || undefined, needsToken };
    }),
  )
  // Later fields would not find the business.
  .sort((a, b) => Number(a.name === 'deleteBusiness') - Number(b.name === 'deleteBusiness'));

const scalars: Readonly<Record<string, string>> = {
  Int: '1',
  Float: '1',
  Boolean: 'true',
  Money: '1',
  Timestamp: '1',
};

/** A value of the type: of input objects, the required fields only. */
function literal(type: GraphQLInputType, id: string): string {
  if (isNonNullType(type)) return literal(type.ofType, id);
  if (isListType(type)) return `[${literal(type.ofType, id)}]`;
  if (isEnumType(type)) return type.getValues()[0]?.name ?? '';
  if (!isInputObjectType(type)) return scalars[type.name] ?? JSON.stringify(type.name === 'ID' ? id : 'x');
  const fields = Object.values(type.getFields()).filter(isRequiredInputField);
  return `{${fields.map((field) => `${field.name}: ${literal(field.type, id)}`).join(', ')}}`;
}

/** Fields whose input has a refresh token, instead of the header. */
const readsTokenFromBody = new Set(['logout', 'refresh']);

/** Fields that require the permission for the kind of records, which is products in these documents. */
const sufficientForDocument: Readonly<Record<string, readonly string[]>> = {
  startExport: ['ADMIN', 'PRODUCTS_WRITE'],
  startImport: ['ADMIN', 'PRODUCTS_WRITE'],
};

/** The field with its required arguments; ids are that of the business. */
function documentOf({ kind, name, field }: RootField, businessId: string): string {
  const args = field.args
    .filter(isRequiredArgument)
    .map((argument) => `${argument.name}: ${literal(argument.type, businessId)}`);
  const selection = /(?:String|Boolean|Int|ID|JSON)!?$/.test(String(field.type)) ? '' : '{ __typename }';
  return `${kind} { ${name}${args.length > 0 ? `(${args.join(', ')})` : ''} ${selection} }`;
}

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
});

const openStorefront = async (): Promise<Shop> => {
  const shop = await t.shop();
  await t.rest('PUT', `/v1/businesses/${shop.businessId}`, { as: shop.admin, body: { publicRead: true } });
  return shop;
};

it('fields with a directive, and no others, need a token', async () => {
  const { businessId } = await openStorefront();
  const wrong: string[] = [];
  for (const root of rootFields) {
    const { errors } = await t.graphql(documentOf(root, businessId));
    const isRejected = errors.some(({ extensions }) => extensions.code === 'UNAUTHENTICATED');
    if (isRejected !== (root.needsToken || readsTokenFromBody.has(root.name)))
      wrong.push(`${root.name}: ${JSON.stringify(errors)}`);
  }
  expect(wrong).toEqual([]);
});

// A third of the permissions each day: hundreds of requests for each.
it.each(permissions.filter((_, index) => isInSampleOfDay(index, 3)))(
  'fields that %s suffices for, and no others, list it',
  async (permission) => {
    const { admin, businessId } = await openStorefront();
    const as = await t.withApiKey(admin, [permission]);
    const wrong: string[] = [];
    for (const root of rootFields) {
      const sufficient = sufficientForDocument[root.name] ?? root.sufficient;
      if (!sufficient) continue;
      const { errors } = await t.graphql(documentOf(root, businessId), {}, { as });
      const isForbidden = errors.some(({ extensions }) => extensions.code === 'FORBIDDEN');
      if (isForbidden === sufficient.includes(permission))
        wrong.push(`${root.name}: ${JSON.stringify(errors)}`);
    }
    expect(wrong).toEqual([]);
  },
);
