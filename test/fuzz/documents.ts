/** Generates GraphQL documents from the schema: any root field, any arguments, a selection of limited depth. */
import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { schema } from '../../src/graphql/schema/schema.ts';
import type { Dice } from '../simulation/seeded-random.ts';
import { generateText, type RecordIds, unusualValue } from './values.ts';

export interface GeneratedDocument {
  query: string;
  variables: Record<string, unknown>;
  isMutation: boolean;
}

const maxDepth = 4;
/** Excluded: these would remove records or permissions that all other requests need. Ended sessions are renewed. */
const excluded = /^(delete(Me|Business)|leaveBusiness|removeMember|setRole|updateRole|deleteRole)/;

const fieldsOf = (root: ReturnType<typeof schema.getQueryType>) =>
  Object.values(root?.getFields() ?? {}).filter(({ name }) => !excluded.test(name));
const queries = fieldsOf(schema.getQueryType());
const mutations = fieldsOf(schema.getMutationType());

export function generateDocument(dice: Dice, ids: RecordIds): GeneratedDocument {
  const isMutation = dice.chance(0.4);
  const field = dice.pick(isMutation ? mutations : queries);
  if (!field) throw new Error('The schema has no fields.');
  const builder = new DocumentBuilder(dice, ids);
  const selection = builder.select(field, 0);
  const declarations = builder.declared.length > 0 ? `(${builder.declared.join(', ')})` : '';
  const query = `${isMutation ? 'mutation' : 'query'}${declarations} { ${selection} }`;
  return { query, variables: builder.variables, isMutation };
}

/** Builds one document. */
class DocumentBuilder {
  readonly variables: Record<string, unknown> = {};
  readonly declared: string[] = [];
  readonly #dice: Dice;
  readonly #ids: RecordIds;

  constructor(dice: Dice, ids: RecordIds) {
    this.#dice = dice;
    this.#ids = ids;
  }

  select(field: GraphQLField<unknown, unknown>, depth: number): string {
    const args = field.args
      .filter(({ type }) => isNonNullType(type) || this.#dice.chance(0.3))
      .map(
        ({ name, type }) => `${name}: ${this.#declare(type, this.#input(type, `${field.name} ${name}`, 0))}`,
      );
    const call = args.length > 0 ? `${field.name}(${args.join(', ')})` : field.name;
    const inner = this.#selection(field.type, depth);
    return inner === undefined ? call : `${call} ${inner}`;
  }

  #declare(type: GraphQLInputType, value: unknown): string {
    const name = `v${this.declared.length}`;
    this.declared.push(`$${name}: ${type}`);
    this.variables[name] = value;
    return `$${name}`;
  }

  #selection(type: GraphQLOutputType, depth: number): string | undefined {
    const named = getNamedType(type);
    if (isAbstractType(named)) return '{ __typename }';
    if (!isObjectType(named)) return undefined;
    const selectedFields = Object.values(named.getFields()).filter(
      (field) =>
        this.#dice.chance(depth < 2 ? 0.5 : 0.3) &&
        (depth < maxDepth || !isObjectType(getNamedType(field.type))),
    );
    return `{ __typename ${selectedFields.map((field) => this.select(field, depth + 1)).join(' ')} }`;
  }

  /** Generates an input value. `name` is the name of the field and, for arguments, of its parent field. */
  #input(type: GraphQLInputType, name: string, depth: number): unknown {
    const dice = this.#dice;
    if (isNonNullType(type)) return this.#input(type.ofType, name, depth);
    if (dice.chance(0.02)) return unusualValue(dice);
    if (isListType(type))
      return Array.from({ length: dice.between(0, 2) }, () => this.#input(type.ofType, name, depth + 1));
    if (isEnumType(type)) return dice.pick(type.getValues())?.name;
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields()).filter(
        (field) => isNonNullType(field.type) || (depth < maxDepth && dice.chance(0.4)),
      );
      return Object.fromEntries(
        fields.map((field) => [field.name, this.#input(field.type, field.name, depth + 1)]),
      );
    }
    if (type.name === 'Boolean') return dice.chance(0.5);
    if (type.name === 'ID' || type.name === 'String') return generateText(name, dice, this.#ids);
    return dice.pick([0, 1, 5, 100, -1, dice.between(0, 5000)]);
  }
}

/** The document with one token removed, duplicated or replaced, or with all tokens reversed. */
export function breakDocument(query: string, dice: Dice): string {
  const tokens = query.split(/(?=[ (){}:$,])/);
  const index = dice.between(0, tokens.length - 1);
  const token = tokens[index] ?? '';
  const kind = dice.between(0, 3);
  if (kind === 0) tokens.splice(index, 1);
  else if (kind === 1) tokens.splice(index, 0, token);
  else if (kind === 2)
    tokens[index] = dice.oneOf([' 1', ' "', ' ...', ' @skip(if: true)', ' \u0000', ' {', ' nowhere']);
  else tokens.reverse();
  return tokens.join('');
}
