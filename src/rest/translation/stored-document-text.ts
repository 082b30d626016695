/** Texts of the stored operations as clients send them: those whose SHA-256 is registered for trusted documents. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../lib/package-info.ts';

let textsByOperation: ReadonlyMap<string, string> | undefined;

function readTexts(): ReadonlyMap<string, string> {
  const manifest = readFileSync(join(packageRoot, 'schema', 'documents.json'), 'utf8');
  const texts = Object.values(JSON.parse(manifest) as Record<string, string>);
  return new Map(
    texts.flatMap((text) => {
      const name = /^(?:query|mutation)\s+(\w+)/m.exec(text)?.[1];
      return name === undefined ? [] : [[name, text] as const];
    }),
  );
}

/** Undefined for operations outside the manifest, as in tests with a schema of their own. */
export function getStoredDocumentText(operation: string): string | undefined {
  textsByOperation ??= readTexts();
  return textsByOperation.get(operation);
}
