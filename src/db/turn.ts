/**
 * What is asked in one turn of the event loop is asked together at its end, when everybody who shares the statement has
 * arrived: so the answer knows of every change that was confirmed before any of them came. Nobody joins a statement on its way.
 */
import type { Db } from './sql.ts';

let waiting: (() => void)[] | undefined;

/** Runs with everything else that waits for the end of this turn. */
export function atTurnsEnd(run: () => void): void {
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
export function gather<Question, Answer>(
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  let questions: Question[] | undefined;
  let answers: Promise<readonly Answer[]>;
  return async (question) => {
    if (!questions) {
      const asked: Question[] = [];
      questions = asked;
      answers = new Promise((resolve) =>
        atTurnsEnd(() => {
          questions = undefined;
          resolve(ask(asked));
        }),
      );
    }
    const place = questions.push(question) - 1;
    return (await answers)[place] as Answer;
  };
}

type Reader = Pick<Db, 'short'>;

/** By what is asked, which is the same however the database is handed on. */
const asking = new WeakMap<Reader['short'], Map<string, Promise<readonly unknown[]>>>();

/** A short statement, sent once for all who ask the very same in this turn. Its rows are shared: nobody may change them. */
export function shared<Row>(db: Reader, text: string, params: readonly unknown[]): Promise<readonly Row[]> {
  let asked = asking.get(db.short);
  if (!asked) {
    asked = new Map();
    asking.set(db.short, asked);
  }
  const inTurn = asked;
  const key = `${text}\n${JSON.stringify(params)}`;
  let rows = inTurn.get(key);
  if (!rows) {
    rows = new Promise((resolve) =>
      atTurnsEnd(() => {
        inTurn.delete(key);
        resolve(db.short(text, params));
      }),
    );
    inTurn.set(key, rows);
  }
  return rows as Promise<readonly Row[]>;
}
