/** Consistency check of fields and domains: Prisma models, tables, GraphQL types, inputs, zod schemas and stored operations must agree. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import {
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isObjectType,
  Kind,
  parse,
} from 'graphql';
import type { z } from 'zod';
import type { Table } from '../src/db/records/typed-table.ts';
import { domainNames } from '../src/domains/domain-names.ts';
import { schema } from '../src/graphql/schema/schema.ts';
import { argumentParserOf } from '../src/graphql/schema/validated-resolver.ts';

/** A record with a typed table, and its GraphQL type. */
interface TypedRecord {
  domain: string;
  type: string;
  table: Table<unknown>;
}

/** Fields that the gateway sets. */
const setByGateway = ['id', 'businessId', 'version', 'createdAt', 'updatedAt'];

interface Exceptions {
  /** Stored, but in no protocol. */
  internal?: string[];
  graphqlOnly?: string[];
  /** Returned, but never accepted as input. */
  readOnly?: string[];
  /** Accepted as input under this name, but stored in another field. */
  inputOnly?: string[];
}

const exceptions: Readonly<Record<string, Exceptions>> = {
  Collection: { inputOnly: ['kind'] },
  Entry: { readOnly: ['publishAt', 'unpublishAt'] },
  Order: {
    internal: [
      'taxBps',
      'taxSetByStaff',
      'heldFrom',
      'linkVersion',
      'credited',
      'paymentSessionId',
      'paymentUrl',
      'paymentId',
    ],
    graphqlOnly: ['expiresAt'],
    readOnly: [
      'number',
      'externalReference',
      'paymentMethod',
      'expiresAt',
      'captured',
      'refunded',
      'amountDue',
      'disputedAt',
      'fulfilments',
      'returns',
    ],
  },
};

const read = (path: string) => readFileSync(path, 'utf8');
const prismaFiles = readdirSync('prisma/models').map((name) => `prisma/models/${name}`);
const prismaModels = prismaFiles.map(read).join('\n');

const isTable = (value: unknown): value is Table<unknown> =>
  typeof value === 'object' && value !== null && 'insertParams' in value && 'model' in value;

/** Every typed table whose Prisma model has the name of a GraphQL type with a create input. */
async function typedRecords(): Promise<TypedRecord[]> {
  const modules = await Promise.all(
    domainNames
      .filter((domain) => existsSync(`src/domains/${domain}/model.ts`))
      .map(async (domain) => ({ domain, model: await import(`../src/domains/${domain}/model.ts`) })),
  );
  return modules.flatMap(({ domain, model }) =>
    Object.values(model)
      .filter(isTable)
      .flatMap((table) => {
        const mapped = new RegExp(`^model (\\w+) \\{[^}]*@@map\\("${table.name}"\\)`, 'm');
        const type = mapped.exec(prismaModels)?.[1];
        return type && schema.getType(`Create${type}Input`) ? [{ domain, type, table }] : [];
      }),
  );
}

/** Columns of a Prisma model: its fields that are not relations. */
function prismaColumns(type: string): string[] {
  const body = new RegExp(`^model ${type} \\{([^}]*)\\}`, 'm').exec(prismaModels)?.[1] ?? '';
  const models = new Set([...prismaModels.matchAll(/^model (\w+)/gm)].map(([, name]) => name));
  return [...body.matchAll(/^ {2}(\w+)\s+(\w+)/gm)]
    .filter(([, , fieldType]) => !models.has(fieldType ?? ''))
    .map(([, name = '']) => name);
}

const fragments = new Map<string, FragmentDefinitionNode & { file: string }>(
  domainNames
    .map((domain) => `src/domains/${domain}/operations.graphql`)
    .filter((file) => existsSync(file))
    .flatMap((file) =>
      parse(read(file)).definitions.flatMap((definition) =>
        definition.kind === Kind.FRAGMENT_DEFINITION
          ? [[definition.name.value, { ...definition, file }]]
          : [],
      ),
    ),
);

/** Fields that a fragment selects, those of its spreads included. */
const selectedFields = (fragment: FragmentDefinitionNode | undefined): string[] =>
  (fragment?.selectionSet.selections ?? []).flatMap((selection) =>
    selection.kind === Kind.FIELD
      ? [selection.name.value]
      : selection.kind === Kind.FRAGMENT_SPREAD
        ? selectedFields(fragments.get(selection.name.value))
        : [],
  );

function fieldNames(from: GraphQLSchema, name: string): Set<string> {
  const type = from.getType(name);
  return new Set(isObjectType(type) || isInputObjectType(type) ? Object.keys(type.getFields()) : []);
}

function checkRecord({ domain, type, table }: TypedRecord): string[] {
  const folder = `src/domains/${domain}`;
  const fragment = fragments.get(`${type}Fields`);
  const inOutput = fieldNames(schema, type);
  const inRest = new Set(selectedFields(fragment));
  const inInput = fieldNames(schema, `Create${type}Input`);
  const inTable = new Set([...table.fields, ...table.model]);
  const columns = prismaColumns(type);
  const { internal = [], graphqlOnly = [], readOnly = [], inputOnly = [] } = exceptions[type] ?? {};
  const missingIn = (present: ReadonlySet<string>, allowed: readonly string[]) =>
    table.fields.filter((name) => !present.has(name) && !internal.includes(name) && !allowed.includes(name));
  const report = (file: string, names: readonly string[], problem: string) =>
    names.map((name) => `${file} ${problem} \`${name}\` of ${type}`);
  const prismaFile = prismaFiles.find((file) => read(file).includes(`model ${type} {`)) ?? 'prisma/models';
  // A plain field is declared in api-field-declarations.ts alone; other fields have an entry in each of these files.
  const declaring = existsSync(`${folder}/api-field-declarations.ts`)
    ? `${folder}/api-field-declarations.ts`
    : `${folder}/model.ts`;
  return [
    ...report(
      prismaFile,
      table.model.filter((name) => !columns.includes(name)),
      'does not declare',
    ),
    ...report(
      declaring,
      columns.filter((name) => !table.model.includes(name)),
      'does not declare',
    ),
    ...report(`${folder}/types.ts`, missingIn(inOutput, []), 'has no GraphQL field'),
    ...report(fragment?.file ?? 'src/domains', missingIn(inRest, graphqlOnly), 'does not select'),
    ...report(`${folder}/schemas.ts`, missingIn(inInput, [...setByGateway, ...readOnly]), 'does not accept'),
    ...report(
      `${folder}/model.ts`,
      [...inInput].filter((name) => inOutput.has(name) && !inTable.has(name) && !inputOnly.includes(name)),
      'does not store',
    ),
  ];
}

/** Keys of the object that a zod schema accepts, through wrappers and lists. */
function schemaKeys(zodSchema: z.ZodType | undefined): Record<string, z.ZodType> | undefined {
  const def = zodSchema?._zod.def as
    | {
        type: string;
        shape?: Record<string, z.ZodType>;
        innerType?: z.ZodType;
        in?: z.ZodType;
        element?: z.ZodType;
      }
    | undefined;
  return def?.shape ?? (def && schemaKeys(def.innerType ?? def.in ?? def.element));
}

/** Compares arguments and input types with the zod schemas that parse them, to the depth that both have. */
function checkArguments(): string[] {
  const problems: string[] = [];
  const sources = readdirSync('src/domains', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\/(queries|mutations|subscriptions)\.ts$/.test(name))
    .map((name) => [`src/domains/${name}`.replace(/\/[^/]*$/, ''), read(`src/domains/${name}`)] as const);
  for (const root of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()])
    for (const field of Object.values(root?.getFields() ?? {})) {
      const folder = sources.find(([, source]) => new RegExp(`\\b${field.name}: t\\.`).test(source))?.[0];
      const compare = (
        declared: Readonly<Record<string, { type: unknown }>>,
        validated: Readonly<Record<string, z.ZodType>> | undefined,
        path: string,
        depth = 0,
      ) => {
        if (!validated) return;
        for (const name of Object.keys(declared))
          if (!(name in validated))
            problems.push(`${folder}/schemas.ts does not validate \`${path}${name}\``);
        for (const [name, zodSchema] of Object.entries(validated)) {
          const arg = declared[name];
          // Root fields may share a schema, so only the fields of an input type must all be declared.
          if (!arg && depth > 0) problems.push(`${folder}/inputs.ts does not declare \`${path}${name}\``);
          if (!arg) continue;
          const type = getNamedType(arg.type as Parameters<typeof getNamedType>[0]);
          if (isInputObjectType(type))
            compare(type.getFields(), schemaKeys(zodSchema), `${path}${name}.`, depth + 1);
        }
      };
      const args = Object.fromEntries(field.args.map((arg) => [arg.name, arg]));
      compare(args, schemaKeys(argumentParserOf(field)?.schema), `${field.name}.`);
    }
  return problems;
}

/** Folders and models that src/domains/domain-names.ts does not list, so that nothing in them would be gathered. */
function checkDomainList(): string[] {
  const noDomain = new Set(['shared', 'domain-names', 'platform']);
  const names = ['src/domains', 'prisma/models'].flatMap((folder) =>
    readdirSync(folder).map((name) => name.replace(/\.\w+$/, '')),
  );
  return [...new Set(names)]
    .filter((name) => !noDomain.has(name) && !domainNames.some((domain) => domain === name))
    .map((name) => `src/domains/domain-names.ts does not list \`${name}\``);
}

const problems = [...(await typedRecords()).flatMap(checkRecord), ...checkArguments(), ...checkDomainList()];
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}
