/**
 * PERF: query of a named prepared statement. It describes its result once per connection, not with every execution, and builds rows
 * from a template instead of pg's dictionaries.
 */
import pg from 'pg';

interface PreparedStatement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
  readonly types: pg.CustomTypesConfig;
  /** False behind a pooler, which may prepare the statement again on a server whose tables have changed meanwhile. */
  readonly describeOnce: boolean;
}

/** Columns of a statement. */
interface RowReader {
  /** All columns, null. */
  readonly template: Readonly<Record<string, unknown>>;
  readonly names: readonly string[];
  /** Undefined for a column that is read as text. */
  readonly parsers: readonly (((text: string) => unknown) | undefined)[];
}

type Callback = (error: unknown, result?: { rows: unknown[] }) => void;

/** Internals of pg's connection. */
interface Connection {
  readonly stream: { cork(): void; uncork(): void };
  readonly submittedNamedStatements: Record<string, string>;
  parse(statement: { name: string; text: string }): void;
  bind(values: { statement: string; values: readonly unknown[] }): void;
  describe(portal: { type: 'P'; name: string }): void;
  execute(): void;
  sync(): void;
}

/** Internals of pg's query: `pg.Client` calls `submit` and the handlers. */
interface QueryInternals {
  name: string;
  values: readonly unknown[];
  callback: Callback;
  hasBeenParsed(connection: Connection): boolean;
}

const Query = pg.Query as unknown as new (text: string) => QueryInternals;
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils;
const parseText = pg.types.getTypeParser(25, 'text');

const readersByConnection = new WeakMap<Connection, Map<string, RowReader>>();

function readersOf(connection: Connection): Map<string, RowReader> {
  let readers = readersByConnection.get(connection);
  if (!readers) {
    readers = new Map();
    readersByConnection.set(connection, readers);
  }
  return readers;
}

export class PreparedQuery extends Query {
  readonly #statement: PreparedStatement;
  #readers: Map<string, RowReader> | undefined;
  #reader: RowReader | undefined;
  readonly #rows: unknown[] = [];
  #error: unknown;

  constructor(statement: PreparedStatement) {
    // pg copies a configuration object property by property: pass the text only.
    super(statement.text);
    this.#statement = statement;
    this.name = statement.name;
    // A value that cannot be converted throws here, before anything is sent.
    this.values = statement.values.map((value) => prepareValue(value));
  }

  prepare(connection: Connection): void {
    const { name, text, describeOnce } = this.#statement;
    if (!this.hasBeenParsed(connection)) {
      connection.parse({ name, text });
      connection.submittedNamedStatements[name] = text;
    }
    this.#readers = readersOf(connection);
    this.#reader = describeOnce ? this.#readers.get(name) : undefined;
    connection.bind({ statement: name, values: this.values });
    if (!this.#reader) connection.describe({ type: 'P', name: '' });
    connection.execute();
    connection.sync();
  }

  handleRowDescription({ fields }: { fields: readonly { name: string; dataTypeID: number }[] }): void {
    const { name, types } = this.#statement;
    const names = fields.map((field) => field.name);
    const parsers = fields.map(({ dataTypeID }): ((text: string) => unknown) | undefined => {
      const parse: (text: string) => unknown = types.getTypeParser(dataTypeID, 'text');
      return parse === parseText ? undefined : parse;
    });
    // Parsed from JSON, because V8 turns an object that gets many properties one by one into a slow dictionary.
    const template = JSON.parse(JSON.stringify(Object.fromEntries(names.map((column) => [column, null]))));
    this.#reader = { template, names, parsers };
    this.#readers?.set(name, this.#reader);
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (!this.#reader || this.#error !== undefined) return;
    const { template, names, parsers } = this.#reader;
    const row: Record<string, unknown> = { ...template };
    try {
      for (let index = 0; index < fields.length; index += 1) {
        const text = fields[index];
        const parse = parsers[index];
        if (typeof text === 'string') row[names[index] as string] = parse ? parse(text) : text;
      }
      this.#rows.push(row);
    } catch (error) {
      this.#error = error;
    }
  }

  handleCommandComplete(): void {}

  handleError(error: unknown): void {
    this.callback(this.#error ?? error);
  }

  handleReadyForQuery(): void {
    if (this.#error === undefined) this.callback(null, { rows: this.#rows });
    else this.callback(this.#error);
  }

  /** Runs the statement on a connection. */
  runOn(client: pg.ClientBase): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      const callback: Callback = (error, result) =>
        error ? reject(error) : resolve(result as pg.QueryResult);
      Reflect.apply(client.query, client, [this, callback]);
    });
  }

  /** Runs a prepared query, or any other arguments of `client.query`. */
  static runStatementOnClient(client: pg.ClientBase, args: readonly unknown[]): Promise<pg.QueryResult> {
    return args[0] instanceof PreparedQuery
      ? args[0].runOn(client)
      : (Reflect.apply(client.query, client, args) as Promise<pg.QueryResult>);
  }
}
