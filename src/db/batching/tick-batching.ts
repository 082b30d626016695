/**
 * What is asked in one turn of the event loop is asked together at its end, when everybody who shares the statement has
 * arrived: so the answer knows of every change that was confirmed before any of them came. Nobody joins a statement on its way.
 */
import type { Db } from '../handles.ts';

let waiting: (() => void)[] | undefined;

/** Runs with everything else that waits for the end of this turn. */
export function runAtTickEnd(run: () => void): void {
  if (!waiting) {
    waiting = [];
    setImmediate(() => {
      const runs = waiting ?? [];
      waiting = undefined;
      for (const each of runs) each();
    });
  }
  waiting.push(run);
}

/** Collects the questions of a turn; `ask` gets them all and answers each at its place. */
export function createBatcher<Question, Answer>(
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  let questions: Question[] | undefined;
  let answers: Promise<readonly Answer[]>;
  return async (question) => {
    if (!questions) {
      const asked: Question[] = [];
      questions = asked;
      answers = new Promise((resolve) =>
        runAtTickEnd(() => {
          questions = undefined;
          resolve(ask(asked));
        }),
      );
    }
    const place = questions.push(question) - 1;
    return (await answers)[place] as Answer;
  };
}

type Reader = Pick<Db, 'shortRead'>;

/** What was begun for the questions of this turn, by who is asked, which is the same however the database is handed on. */
export class TickMap<Value> {
  // First by the statement: it is long, but one and the same text for everybody who reads a list.
  readonly #begun = new WeakMap<Reader['shortRead'], Map<string, Map<string, Value>>>();

  getOrCreate(db: Reader, text: string, params: readonly unknown[], begin: () => Value): Value {
    const begun = this.#begun.get(db.shortRead) ?? new Map<string, Map<string, Value>>();
    this.#begun.set(db.shortRead, begun);
    let byParams = begun.get(text);
    if (!byParams) {
      byParams = new Map();
      begun.set(text, byParams);
      runAtTickEnd(() => begun.delete(text));
    }
    const key = JSON.stringify(params);
    let value = byParams.get(key);
    if (value === undefined) {
      value = begin();
      byParams.set(key, value);
    }
    return value;
  }
}

const statements = new TickMap<Promise<readonly unknown[]>>();

/** A short statement, sent once for all who ask the very same in this turn. Its rows are shared: nobody may change them. */
export function readOncePerTick<Row>(
  db: Reader,
  text: string,
  params: readonly unknown[],
): Promise<readonly Row[]> {
  const begin = () =>
    new Promise<readonly unknown[]>((resolve) => runAtTickEnd(() => resolve(db.shortRead(text, params))));
  return statements.getOrCreate(db, text, params, begin) as Promise<readonly Row[]>;
}
