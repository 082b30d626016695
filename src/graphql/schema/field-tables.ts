/** Fields of object and input types, and arguments, as `name: [type, description]`. Those with a resolver or further options are declared with `t`. */
import type {
  ArgumentRef,
  FieldRef,
  InputFieldBuilder,
  InputFieldRef,
  InputShapeFromTypeParam,
  InputType,
  ObjectFieldBuilder,
  OutputType,
  ShapeFromTypeParam,
} from '@pothos/core';
import type PrismaTypes from '../../generated/pothos.ts';
import { builder } from './builder.ts';

type Types = typeof builder.$inferSchemaTypes;
type Scalars = Types['Scalars'];
type ScalarName = keyof Scalars & string;
type Direction = 'Input' | 'Output';

/** Scalar, or list of one, as in SDL. */
type SdlType = ScalarName | `${ScalarName}!` | `[${ScalarName}!]` | `[${ScalarName}!]!`;
/** Reference of a type, or of the items of a list; nullable. */
type RefType<Ref> = Ref | readonly [Ref];
type OutputRef = Exclude<OutputType<Types>, string>;
type InputRef = Exclude<InputType<Types>, string>;

type ScalarShape<Name, In extends Direction> = Name extends ScalarName ? Scalars[Name][In] : never;
type NonNullShape<Sdl, In extends Direction> = Sdl extends `[${infer Item}!]`
  ? readonly ScalarShape<Item, In>[]
  : ScalarShape<Sdl, In>;
type SdlShape<Sdl, In extends Direction> = Sdl extends `${infer Nullable}!`
  ? NonNullShape<Nullable, In>
  : NonNullShape<Sdl, In> | null | undefined;

/** Values that a field of this type can return. */
type OutputShape<Type> = Type extends string
  ? SdlShape<Type, 'Output'>
  : Type extends readonly [infer Item extends OutputRef]
    ? ShapeFromTypeParam<Types, [Item], true>
    : ShapeFromTypeParam<Types, Type & OutputRef, true>;

type OutputEntry = readonly [SdlType | RefType<OutputRef>, description: string];
/** Entry of a table of output fields. */
export type OutputField = FieldRef<Types, unknown> | OutputEntry;
type OutputTable = Readonly<Record<string, OutputField>>;

/** Accepts an entry if the record has a property of its name, whose values its type can return. */
type CheckedTable<Parent, Fields> = {
  [Name in keyof Fields]: Fields[Name] extends OutputEntry
    ? Name extends keyof Parent
      ? Parent[Name] extends OutputShape<Fields[Name][0]>
        ? Fields[Name]
        : never
      : never
    : Fields[Name];
};

type OutputFields<Fields> = { [Name in keyof Fields]: FieldRef<Types, unknown> };

/** Fields of an object type, as a table, or as a function if some of them need the builder. An entry returns the property of its name. */
export const outputFields =
  <Parent, const Fields extends OutputTable>(
    fields:
      | (Fields & CheckedTable<Parent, Fields>)
      | ((t: ObjectFieldBuilder<Types, Parent>) => Fields & CheckedTable<Parent, Fields>),
  ) =>
  (t: ObjectFieldBuilder<Types, Parent>): OutputFields<Fields> =>
    exposeEntries(t, typeof fields === 'function' ? fields(t) : fields);

type PrismaBuilder<Name extends keyof PrismaTypes> = PothosSchemaTypes.PrismaObjectFieldBuilder<
  Types,
  PrismaTypes[Name],
  PrismaTypes[Name]['Shape']
>;

/** Like `outputFields`, for the object type of a Prisma model. */
export const prismaFields =
  <Name extends keyof PrismaTypes, const Fields extends OutputTable>(
    _model: Name,
    fields:
      | (Fields & CheckedTable<PrismaTypes[Name]['Shape'], Fields>)
      | ((t: PrismaBuilder<Name>) => Fields & CheckedTable<PrismaTypes[Name]['Shape'], Fields>),
  ) =>
  (t: unknown): OutputFields<Fields> =>
    exposeEntries(
      t as ExposingBuilder,
      typeof fields === 'function' ? fields(t as PrismaBuilder<Name>) : fields,
    );

interface ExposingBuilder {
  expose(name: never, options: never): unknown;
}

const exposeEntries = <Fields>(t: ExposingBuilder, fields: Fields & object): OutputFields<Fields> =>
  mapEntries(fields, (name, { type, isNonNull }, description) =>
    t.expose(name as never, { type, nullable: !isNonNull, description } as never),
  ) as OutputFields<Fields>;

type InputEntry = readonly [SdlType | RefType<InputRef>, description: string];

type InputShape<Type> = Type extends string
  ? SdlShape<Type, 'Input'>
  : Type extends readonly [infer Item extends InputRef]
    ? InputShapeFromTypeParam<Types, [Item], false>
    : InputShapeFromTypeParam<Types, Type & InputRef, false>;

/** Entry of a table of input fields. */
export type InputField = InputFieldRef<Types, unknown> | InputEntry;
type InputObjectBuilder = InputFieldBuilder<Types, 'InputObject'>;

/** Fields of an input type, as a table, or as a function if some of them need the builder. */
export const inputFields =
  <const Fields extends Readonly<Record<string, InputField>>>(
    fields: Fields | ((t: InputObjectBuilder) => Fields),
  ) =>
  (t: InputObjectBuilder) =>
    mapEntries(typeof fields === 'function' ? fields(t) : fields, (_name, { type, isNonNull }, description) =>
      t.field({ type: type as InputRef, required: isNonNull, description }),
    ) as {
      [Name in keyof Fields]: Fields[Name] extends InputEntry
        ? InputFieldRef<Types, InputShape<Fields[Name][0]>>
        : Fields[Name];
    };

type FieldArgs<Args> = {
  [Name in keyof Args]: Args[Name] extends InputEntry
    ? ArgumentRef<Types, InputShape<Args[Name][0]>>
    : Args[Name];
};

/** Arguments of a field. */
export const fieldArgs = <const Args extends Record<string, ArgumentRef<Types, unknown> | InputEntry>>(
  args: Args,
): FieldArgs<Args> =>
  builder.args(
    (t) =>
      mapEntries(args, (_name, { type, isNonNull }, description) =>
        t.field({ type: type as InputRef, required: isNonNull, description }),
      ) as never,
  ) as never;

/** The required argument `input` of a mutation. */
export const inputArg = <Input extends InputRef>(
  type: Input,
  description: string,
): { input: ArgumentRef<Types, InputShapeFromTypeParam<Types, Input, true>> } =>
  builder.args((t) => ({ input: t.field({ type, required: true, description }) })) as never;

interface ParsedType {
  type: unknown;
  isNonNull: boolean;
}

function parseType(type: unknown): ParsedType {
  if (typeof type !== 'string') return { type, isNonNull: false };
  const [, list, name = ''] = /^(\[?)(\w+)/.exec(type) ?? [];
  return { type: list ? [name] : name, isNonNull: type.endsWith('!') };
}

const mapEntries = (
  fields: object,
  create: (name: string, type: ParsedType, description: string) => unknown,
): unknown =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      Array.isArray(field) ? create(name, parseType(field[0]), field[1]) : field,
    ]),
  );
