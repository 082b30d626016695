/** GraphQL documents made from the schema: any root field, any arguments, a selection of some depth. */
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
import { type RecordIds, unusualValue, generateText } from './values.ts';

export interface GeneratedDocument {
  query: string;
  variables: Record<string, unknown>;
  isMutation: boolean;
}

const deepest = 4;
/** Taking the ground away from under the others proves nothing. */
const left =
  /^(delete(Me|Business)|leaveBusiness|removeMember|revoke|logout|changePassword|setRole|updateRole|deleteRole)/;

const fieldsOf = (root: ReturnType<typeof schema.getQueryType>) =>
  Object.values(root?.getFields() ?? {}).filter(({ name }) => !left.test(name));
const queries = fieldsOf(schema.getQueryType());
const mutations = fieldsOf(schema.getMutationType());

export function generateDocument(dice: Dice, ids: RecordIds): GeneratedDocument {
  const isMutation = dice.chance(0.4);
  const field = dice.pick(isMutation ? mutations : queries);
  if (!field) throw new Error('The schema has no fields.');
  const made = new Made(dice, ids);
  const selected = made.select(field, 0);
  const head = made.declared.length > 0 ? `(${made.declared.join(', ')})` : '';
  const query = `${isMutation ? 'mutation' : 'query'}${head} { ${selected} }`;
  return { query, variables: made.variables, isMutation };
}

/** A document while it is made. */
class Made {
  readonly variables: Record<string, unknown> = {};
  readonly declared: string[] = [];
  readonly #dice: Dice;
  readonly #ids: RecordIds;

  constructor(dice: Dice, ids: RecordIds) {
    this.#dice = dice;
    this.#ids = ids;
  }

  select(field: GraphQLField<unknown, unknown>, depth: number): string {
    const given = field.args
      .filter(({ type }) => isNonNullType(type) || this.#dice.chance(0.3))
      .map(
        ({ name, type }) => `${name}: ${this.#declare(type, this.#input(type, `${field.name} ${name}`, 0))}`,
      );
    const call = given.length > 0 ? `${field.name}(${given.join(', ')})` : field.name;
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
    const chosen = Object.values(named.getFields()).filter(
      (one) =>
        this.#dice.chance(depth < 2 ? 0.5 : 0.3) &&
        (depth < deepest || !isObjectType(getNamedType(one.type))),
    );
    return `{ __typename ${chosen.map((one) => this.select(one, depth + 1)).join(' ')} }`;
  }

  /** `name` says what it is for, with what it belongs to. */
  #input(type: GraphQLInputType, name: string, depth: number): unknown {
    const dice = this.#dice;
    if (isNonNullType(type)) return this.#input(type.ofType, name, depth);
    if (dice.chance(0.02)) return unusualValue(dice);
    if (isListType(type))
      return Array.from({ length: dice.between(0, 2) }, () => this.#input(type.ofType, name, depth + 1));
    if (isEnumType(type)) return dice.pick(type.getValues())?.name;
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields()).filter(
        (one) => isNonNullType(one.type) || (depth < deepest && dice.chance(0.4)),
      );
      return Object.fromEntries(fields.map((one) => [one.name, this.#input(one.type, one.name, depth + 1)]));
    }
    if (type.name === 'Boolean') return dice.chance(0.5);
    if (type.name === 'ID' || type.name === 'String') return generateText(name, dice, this.#ids);
    return dice.pick([0, 1, 5, 100, -1, dice.between(0, 5000)]);
  }
}

/** The document with a piece of its text gone, doubled or in another place. */
export function breakDocument(query: string, dice: Dice): string {
  const words = query.split(/(?=[ (){}:$,])/);
  const at = dice.between(0, words.length - 1);
  const word = words[at] ?? '';
  const kind = dice.between(0, 3);
  if (kind === 0) words.splice(at, 1);
  else if (kind === 1) words.splice(at, 0, word);
  else if (kind === 2)
    words[at] = dice.oneOf([' 1', ' "', ' ...', ' @skip(if: true)', ' \u0000', ' {', ' nowhere']);
  else words.reverse();
  return words.join('');
}
