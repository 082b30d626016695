/** The stored operations as the GraphQL client holds them: in the words whose ids the gateway knows, each fragment once. */
import { join } from 'node:path';
import { parse, print } from 'graphql';
import { readDocumentFolder } from '../src/graphql/http/trusted-documents.ts';
import { packageRoot } from '../src/lib/package-info.ts';

/** Each stored operation in the words whose id the gateway knows. */
function storedTexts(): Map<string | undefined, string> {
  const single = readDocumentFolder(join(packageRoot, 'src', 'domains')).flatMap((text) => {
    const names = parse(text).definitions.flatMap((one) => ('operation' in one ? one.name?.value : []));
    return names.length === 1 ? [[names[0], text] as const] : [];
  });
  return new Map(single);
}

const definitionsIn = (text: string) => text.split(/\n\n(?=(?:fragment|query|mutation|subscription) )/);

/** What is generated for the gateway itself, without the one type that another package declares. */
export function clientDocuments(made: string): string {
  const imported = /^import type \{ DocumentTypeDecoration \}.*$/m;
  if (!imported.test(made))
    throw new Error('src/generated/operations.ts is not what it was: see scripts/client-documents.ts.');
  const declared =
    'export interface DocumentTypeDecoration<Result, Variables> { __apiType?: (variables: Variables) => Result }';
  const stored = storedTexts();
  const fragments = new Map<string, string>();
  /** A fragment is told once, and named wherever it is part of a document. */
  const written = (part: string, at: number, { length }: readonly string[]): string => {
    const name = /^fragment (\w+)/.exec(part)?.[1];
    const text = name !== undefined || at < length - 1 ? `${part}\n\n` : part;
    if (name === undefined || (fragments.get(name) ?? text) !== text) return JSON.stringify(text);
    fragments.set(name, text);
    return `${name}Text`;
  };
  const worded = made.replace(/new TypedDocumentString\(`([^`]*)`/g, (_, text: string) => {
    const name = /^\s*(?:query|mutation|subscription) (\w+)/.exec(text)?.[1];
    const parts = definitionsIn(stored.get(name) ?? print(parse(text)));
    return `new TypedDocumentString(${parts.map(written).join(' + ')}`;
  });
  const texts = [...fragments].map(([name, text]) => `const ${name}Text = ${JSON.stringify(text)};\n`);
  return worded
    .replace(imported, declared)
    .replace(/^export const /m, (first) => `${texts.join('')}${first}`);
}
