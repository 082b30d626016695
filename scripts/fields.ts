/** Names the file that has forgotten a field or a domain: tables, types, inputs, checks and stored operations know the same ones. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import {
  type FieldNode,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isObjectType,
  Kind,
  parse,
  visit,
} from 'graphql';
import type { z } from 'zod';
import type { Table } from '../src/db/records/table.ts';
import { domains } from '../src/domains/index.ts';
import { schema } from '../src/graphql/schema/schema.ts';
import { argumentParserOf } from '../src/graphql/schema/validated-resolver.ts';

/** A hot record: its table, and the names it has elsewhere. */
interface Stored {
  domain: string;
  type: string;
  table: Table<unknown>;
}

/** What callers never send: the gateway sets it itself. */
const setByGateway = ['id', 'businessId', 'version', 'createdAt', 'updatedAt'];

/** What is meant to be left out: from both voices, from REST, from what callers send, from what is kept (another field stands for it). */
interface Meant {
  hidden?: string[];
  onlyGraphql?: string[];
  notSent?: string[];
  notKept?: string[];
}

const meant: Readonly<Record<string, Meant>> = {
  Collection: { notKept: ['kind'] },
  Entry: { notSent: ['publishAt', 'unpublishAt'] },
  Order: {
    hidden: ['taxBps', 'heldFrom', 'paymentSessionId', 'paymentUrl', 'paymentId'],
    onlyGraphql: ['expiresAt'],
    notSent: [
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
const files = (folder: string, ending: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`);

const isTable = (value: unknown): value is Table<unknown> =>
  typeof value === 'object' && value !== null && 'insertParams' in value && 'model' in value;

/** Every typed table whose record is a GraphQL type of the same name as its Prisma model. */
async function storedRecords(models: string): Promise<Stored[]> {
  const modules = await Promise.all(
    readdirSync('src/domains', { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && readdirSync(`src/domains/${entry.name}`).includes('model.ts'))
      .map(async ({ name }) => ({ domain: name, model: await import(`../src/domains/${name}/model.ts`) })),
  );
  return modules.flatMap(({ domain, model }) =>
    Object.values(model)
      .filter(isTable)
      .flatMap((table) => {
        const type = new RegExp(`^model (\\w+) \\{[^}]*@@map\\("${table.name}"\\)`, 'm').exec(models)?.[1];
        return type && schema.getType(`Create${type}Input`) ? [{ domain, type, table }] : [];
      }),
  );
}

/** The fields that stored operations ask of a type, in the file that has its fragment. */
function askedOf(type: string): { file: string; asked: Set<string> } {
  const asked = new Set<string>();
  let file = 'src/domains';
  for (const path of domains
    .map((domain) => `src/domains/${domain}/operations.graphql`)
    .filter((path) => existsSync(path)))
    visit(parse(read(path)), {
      FragmentDefinition(node) {
        if (node.typeCondition.name.value !== type) return;
        file = path;
        const own = node.selectionSet.selections.filter((one): one is FieldNode => one.kind === Kind.FIELD);
        for (const { name } of own) asked.add(name.value);
      },
    });
  return { file, asked };
}

/** The keys of the object that a check takes, whatever it is wrapped in. */
function keysOf(check: z.ZodType | undefined): Record<string, z.ZodType> | undefined {
  const def = check?._zod.def as
    | {
        type: string;
        shape?: Record<string, z.ZodType>;
        innerType?: z.ZodType;
        in?: z.ZodType;
        element?: z.ZodType;
      }
    | undefined;
  return def?.shape ?? (def && keysOf(def.innerType ?? def.in ?? def.element));
}

function forgottenByRecord({ domain, type, table }: Stored, models: string): string[] {
  const folder = `src/domains/${domain}`;
  const lacking = (file: string, names: Iterable<string>, what: string) =>
    [...names].map((name) => `${file} ${what} \`${name}\` of ${type}`);
  const declared = new RegExp(`^model ${type} \\{([^}]*)\\}`, 'm').exec(models)?.[1] ?? '';
  const prismaFile = files('prisma/models', '.prisma').find((file) => read(file).includes(`model ${type} {`));
  const shown = fieldsOf(schema, type);
  const { file: operations, asked } = askedOf(type);
  const sent = fieldsOf(schema, `Create${type}Input`);
  const kept = new Set([...table.fields, ...table.model]);
  const { hidden = [], onlyGraphql = [], notSent = [], notKept = [] } = meant[type] ?? {};
  const missingIn = (known: ReadonlySet<string>, allowed: readonly string[]) =>
    table.fields.filter((name) => !known.has(name) && !hidden.includes(name) && !allowed.includes(name));
  return [
    ...lacking(
      prismaFile ?? 'prisma/models',
      table.model.filter((name) => !new RegExp(`^\\s+${name}\\s`, 'm').test(declared)),
      'does not declare',
    ),
    ...lacking(`${folder}/types.ts`, missingIn(shown, []), 'does not show'),
    ...lacking(operations, missingIn(asked, onlyGraphql), 'does not ask for'),
    ...lacking(`${folder}/checks.ts`, missingIn(sent, [...setByGateway, ...notSent]), 'does not take'),
    ...lacking(
      `${folder}/model.ts`,
      [...sent].filter((name) => shown.has(name) && !kept.has(name) && !notKept.includes(name)),
      'does not keep',
    ),
  ];
}

function fieldsOf(from: GraphQLSchema, name: string): Set<string> {
  const type = from.getType(name);
  return new Set(isObjectType(type) || isInputObjectType(type) ? Object.keys(type.getFields()) : []);
}

/** Arguments and inputs against the checks that parse them, as deep as both go. */
function forgottenByChecks(): string[] {
  const found: string[] = [];
  const sources = readdirSync('src/domains', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\/(queries|mutations|subscriptions)\.ts$/.test(name))
    .map((name) => [`src/domains/${name}`.replace(/\/[^/]*$/, ''), read(`src/domains/${name}`)] as const);
  for (const root of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()])
    for (const field of Object.values(root?.getFields() ?? {})) {
      const folder = sources.find(([, source]) => new RegExp(`\\b${field.name}: t\\.`).test(source))?.[0];
      const compare = (
        declared: Readonly<Record<string, { type: unknown }>>,
        checked: Readonly<Record<string, z.ZodType>> | undefined,
        path: string,
        depth = 0,
      ) => {
        if (!checked) return;
        for (const name of Object.keys(declared))
          if (!(name in checked)) found.push(`${folder}/checks.ts does not know \`${path}${name}\``);
        for (const [name, check] of Object.entries(checked)) {
          const arg = declared[name];
          // Several fields may share a check: only what is inside an input has to be there.
          if (!arg && depth > 0) found.push(`${folder}/inputs.ts does not declare \`${path}${name}\``);
          if (!arg) continue;
          const type = getNamedType(arg.type as Parameters<typeof getNamedType>[0]);
          if (isInputObjectType(type)) compare(type.getFields(), keysOf(check), `${path}${name}.`, depth + 1);
        }
      };
      const args = Object.fromEntries(field.args.map((arg) => [arg.name, arg]));
      compare(args, keysOf(argumentParserOf(field)?.schema), `${field.name}.`);
    }
  return found;
}

/** Folders and files of domains that the one list does not have: nothing gathers what they bring. */
function forgottenByList(): string[] {
  const ofNoDomain = new Set(['shared', 'index', 'platform']);
  const names = ['src/domains', 'prisma/models'].flatMap((folder) =>
    readdirSync(folder).map((name) => name.replace(/\.\w+$/, '')),
  );
  return [...new Set(names)]
    .filter((name) => !ofNoDomain.has(name) && !domains.some((domain) => domain === name))
    .map((name) => `src/domains/index.ts does not list \`${name}\``);
}

const models = files('prisma/models', '.prisma').map(read).join('\n');
const forgotten = [
  ...(await storedRecords(models)).flatMap((record) => forgottenByRecord(record, models)),
  ...forgottenByChecks(),
  ...forgottenByList(),
];
if (forgotten.length > 0) {
  console.error(forgotten.join('\n'));
  process.exitCode = 1;
}
