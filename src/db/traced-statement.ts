/** A statement as a span. Its text says `$1` where a value goes: none is told. */
import { traced } from '../lib/trace.ts';

const verb = /^[\s(]*(\w+)/;

export const tracedStatement = <T>(text: string, run: () => T): T =>
  traced('statement', 'client', {}, (span) => {
    if (span) {
      span.name = `statement ${verb.exec(text)?.[1]?.toLowerCase() ?? ''}`.trim();
      span.attributes['db.system.name'] = 'postgresql';
      span.attributes['db.query.text'] = text;
    }
    return run();
  });
