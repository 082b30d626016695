/** Documents of the GraphQL client: the stored operations in the exact text whose hash the gateway has registered, each fragment once. */
import { join } from 'node:path';
import { parse, print } from 'graphql';
import { readTrustedDocumentFolder } from '../src/graphql/http/trusted-documents.ts';
import { packageRoot } from '../src/lib/package-info.ts';

/** Registered texts of stored operations, by operation name. */
function registeredTexts(): Map<string | undefined, string> {
  const operations = readTrustedDocumentFolder(join(packageRoot, 'src', 'domains')).flatMap((text) => {
    const names = parse(text).definitions.flatMap((definition) =>
      'operation' in definition ? definition.name?.value : [],
    );
    return names.length === 1 ? [[names[0], text] as const] : [];
  });
  return new Map(operations);
}

const splitDefinitions = (text: string) => text.split(/\n\n(?=(?:fragment|query|mutation|subscription) )/);

/** Converts src/generated/operations.ts: texts become registered texts, and the only type from another package is declared in the file. */
export function clientDocuments(generated: string): string {
  const typeImport = /^import type \{ DocumentTypeDecoration \}.*$/m;
  if (!typeImport.test(generated))
    throw new Error(
      'src/generated/operations.ts does not import DocumentTypeDecoration: adapt scripts/client-documents.ts to its new format.',
    );
  const typeDeclaration =
    'export interface DocumentTypeDecoration<Result, Variables> { __apiType?: (variables: Variables) => Result }';
  const texts = registeredTexts();
  const fragments = new Map<string, string>();
  /** Expression of a definition: fragments are constants that documents share. */
  const toExpression = (definition: string, index: number, { length }: readonly string[]): string => {
    const name = /^fragment (\w+)/.exec(definition)?.[1];
    const text = name !== undefined || index < length - 1 ? `${definition}\n\n` : definition;
    if (name === undefined || (fragments.get(name) ?? text) !== text) return JSON.stringify(text);
    fragments.set(name, text);
    return `${name}Text`;
  };
  const documents = generated.replace(/new TypedDocumentString\(`([^`]*)`/g, (_, text: string) => {
    const name = /^\s*(?:query|mutation|subscription) (\w+)/.exec(text)?.[1];
    const definitions = splitDefinitions(texts.get(name) ?? print(parse(text)));
    return `new TypedDocumentString(${definitions.map(toExpression).join(' + ')}`;
  });
  const constants = [...fragments].map(([name, text]) => `const ${name}Text = ${JSON.stringify(text)};\n`);
  return documents
    .replace(typeImport, typeDeclaration)
    .replace(/^export const /m, (first) => `${constants.join('')}${first}`);
}
