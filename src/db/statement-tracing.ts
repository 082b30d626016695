/** A statement as a span. Its text says `$1` where a value goes: none is told. */
import { withSpan } from '../lib/tracing.ts';

const verb = /^[\s(]*(\w+)/;

export const traceStatement = <T>(text: string, run: () => T): T =>
  withSpan('statement', 'client', {}, (span) => {
    if (span) {
      span.name = `statement ${verb.exec(text)?.[1]?.toLowerCase() ?? ''}`.trim();
      span.attributes['db.system.name'] = 'postgresql';
      span.attributes['db.query.text'] = text;
    }
    return run();
  });
