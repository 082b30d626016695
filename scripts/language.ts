/**
 * Language gate: measures comments, schema descriptions and documents against the rules of docs/reference/glossary.md.
 * `tsx scripts/language.ts` checks the whole tree and exits 1 when a limit is exceeded;
 * `tsx scripts/language.ts <folder or file>…` reports on those alone, with line numbers, and always exits 0.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

/** Upper limits, except `fieldWords`, which is a lower one. Rates are per 1,000 words. */
const limits = {
  comments: 5,
  descriptions: 5,
  documents: 6,
  fieldWords: 30,
  whatHeaders: 0,
  homonyms: 20,
  crowdedFolders: 0,
  smallFiles: 20,
};

const maxFilesInFolder = 20;
const smallFileLines = 10;

/** Words that name a thing or a person indirectly, where the field has a noun or a verb for it. */
const indirectWords =
  /\b(?:whoever|whatever|whichever|somebody|nobody|anybody|everybody|told|tells?|said|says?|asked|asks?|anew|once more|stands?|stood|goes|gone|kept|known|knows|heard|hears|beside|at hand|remembered|meant|for good|thrown away|given back|gives back|of a turn|of the moment|by whose|as it were)\b/gi;

const fieldWords =
  /\b(?:cach(?:e|es|ed|ing)|batch(?:es|ed|ing)?|quer(?:y|ies)|requests?|responses?|errors?|(?:un)?locks?|locked|retr(?:y|ies|ied)|transactions?|index(?:es|ed)?|cursors?|tokens?|sessions?|webhooks?|payloads?|schemas?|resolvers?|pools?|queues?|jobs?|time-?outs?|connections?|clients?|servers?|databases?|PostgreSQL|PGlite|Redis|SQL|HTTP|JSON|REST|GraphQL|fields?|arguments?|parameters?|columns?|tables?|rows?|statements?|events?|headers?|status(?:es)?|routes?|headers?|cookies?|currenc(?:y|ies)|amounts?|refunds?|payments?|captures?|captured|invoices?|checkouts?|migrations?|triggers?|constraints?|foreign keys?|primary keys?|replicas?|process(?:es)?|threads?|sockets?|streams?|buffers?|bytes?|milliseconds|seconds|protocols?|validat(?:e|es|ed|ion)|permissions?|scopes?|roles?|tenants?|rate limits?|throttl\w+|idempoten\w+|deadlocks?|deadlines?|pagination|pages?|fragments?|operations?|mutations?|subscriptions?|variables?|literals?|types?|interfaces?|callbacks?|promises?|event loop|garbage|heap|latency|throughput|logs?|logged|metrics?|traces?|spans?|drift|rollbacks?|commits?|committed|locale|slug|sku|stock|variants?|prices?|tax(?:es)?|discounts?|shipments?|fulfilments?|returns?|callers?|viewers?|staff|customers?|subscribers?)\b/gi;

/** Export names that every domain repeats by convention. */
const conventional = new Set([
  'eventDataSchemas',
  'exampleOperations',
  'jobs',
  'liveTopics',
  'permissions',
  'retentionRules',
  'routes',
  'webhookEvents',
]);

interface Passage {
  file: string;
  line: number;
  text: string;
}

interface Node {
  type: string;
  start: number;
  end: number;
  [part: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

function visit(node: Node, see: (node: Node) => void): void {
  see(node);
  for (const part of Object.values(node))
    for (const child of Array.isArray(part) ? part : [part]) if (isNode(child)) visit(child, see);
}

const filesUnder = (path: string): string[] =>
  !existsSync(path)
    ? []
    : statSync(path).isFile()
      ? [path]
      : readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name));

const typeScriptFiles = (path: string) =>
  filesUnder(path).filter(
    (file) => file.endsWith('.ts') && !/(?:^|\/)(?:generated|node_modules|dist)\//.test(file),
  );

const lineAt = (source: string, offset: number) => source.slice(0, offset).split('\n').length;

/** Comments of a file. String, template and regular expression literals are blanked first, so that `//` within them is no comment. */
function commentsOf(file: string, source: string, program: Node): Passage[] {
  const characters = source.split('');
  visit(program, ({ type, start, end }) => {
    if (type === 'Literal' || type === 'TemplateElement')
      for (let index = start; index < end; index += 1)
        if (characters[index] !== '\n') characters[index] = ' ';
  });
  return [...characters.join('').matchAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g)]
    .map((match) => ({ file, line: lineAt(source, match.index), text: match[0] }))
    .filter(({ text }) => !text.includes('biome-ignore'));
}

/** Descriptions of the printed schema. */
const schemaDescriptions = (file: string): Passage[] => {
  const source = readFileSync(file, 'utf8');
  return [...source.matchAll(/"""([\s\S]*?)"""/g)].map((match) => ({
    file,
    line: lineAt(source, match.index),
    text: match[1] ?? '',
  }));
};

/** Paragraphs of a Markdown file, without code. */
const documentText = (file: string): Passage[] =>
  readFileSync(file, 'utf8')
    .replace(/```[\s\S]*?```/g, (block) => block.replace(/[^\n]/g, ''))
    .replace(/`[^`\n]*`/g, '')
    .split('\n')
    .map((text, index) => ({ file, line: index + 1, text }));

const wordCount = (passages: readonly Passage[]) =>
  passages.reduce((sum, { text }) => sum + (text.match(/[A-Za-z][A-Za-z'-]*/g)?.length ?? 0), 0);

const hits = (passages: readonly Passage[], words: RegExp) =>
  passages.flatMap(({ file, line, text }) =>
    [...text.matchAll(words)].map((match) => `${file}:${line + lineAt(text, match.index) - 1} ${match[0]}`),
  );

const perThousand = (count: number, words: number) => (words === 0 ? 0 : (count * 1000) / words);

/** Names that a module declares and exports. */
const exportedNames = (program: Node): string[] =>
  (program.body as Node[]).flatMap((statement) => {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : undefined;
    if (!isNode(declaration)) return [];
    const declared =
      declaration.type === 'VariableDeclaration' ? (declaration.declarations as Node[]) : [declaration];
    return declared.flatMap(({ id }) => (isNode(id) && id.type === 'Identifier' ? [String(id.name)] : []));
  });

interface Report {
  name: string;
  measured: number;
  exceeded: boolean;
  findings: string[];
}

const atMost = (name: string, measured: number, limit: number, findings: string[]): Report => ({
  name: `${name} (at most ${limit})`,
  measured,
  exceeded: measured > limit,
  findings,
});

function sourceReports(sources: readonly string[]): Report[] {
  const parsed = sources.map((file) => {
    const source = readFileSync(file, 'utf8');
    // Overloads and types are parsed as TypeScript; offsets are those of the source.
    const program = parseAst(source, { lang: 'ts' }) as unknown as Node;
    return { file, source, program, comments: commentsOf(file, source, program) };
  });
  const comments = parsed.flatMap((one) => one.comments);
  const words = wordCount(comments);
  const indirect = hits(comments, indirectWords);
  const field = perThousand(hits(comments, fieldWords).length, words);
  const headers = parsed
    .filter(({ source }) => /^(?:#!.*\n)?\/\*\*?\s*\*?\s*What\b/.test(source))
    .map(({ file }) => `${file}:1`);
  const homes = new Map<string, string[]>();
  for (const { file, program } of parsed)
    if (file.startsWith('src/'))
      for (const name of new Set(exportedNames(program))) homes.set(name, [...(homes.get(name) ?? []), file]);
  const homonyms = [...homes]
    .filter(([name, files]) => files.length > 1 && !conventional.has(name))
    .map(([name, files]) => `${name}: ${files.join(', ')}`);
  return [
    atMost(
      'indirect words per 1,000 words of comments',
      perThousand(indirect.length, words),
      limits.comments,
      indirect,
    ),
    {
      name: `words of the field per 1,000 words of comments (at least ${limits.fieldWords})`,
      measured: field,
      exceeded: field < limits.fieldWords && words > 500,
      findings: [],
    },
    atMost('file headers that begin with "What"', headers.length, limits.whatHeaders, headers),
    atMost('exported names with several homes', homonyms.length, limits.homonyms, homonyms),
  ];
}

function layoutReports(sources: readonly string[]): Report[] {
  const inSrc = sources.filter((file) => file.startsWith('src/'));
  const counts = new Map<string, number>();
  for (const file of inSrc) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  const crowded = [...counts]
    .filter(([, count]) => count > maxFilesInFolder)
    .map(([folder, count]) => `${folder}: ${count} files`);
  const small = inSrc
    .filter((file) => readFileSync(file, 'utf8').trimEnd().split('\n').length <= smallFileLines)
    .map((file) => `${dirname(file)}/${basename(file)}`);
  return [
    atMost(
      `folders with more than ${maxFilesInFolder} files`,
      crowded.length,
      limits.crowdedFolders,
      crowded,
    ),
    atMost(`files of at most ${smallFileLines} lines`, small.length, limits.smallFiles, small),
  ];
}

function textReport(name: string, passages: readonly Passage[], limit: number): Report {
  const indirect = hits(passages, indirectWords);
  return atMost(name, perThousand(indirect.length, wordCount(passages)), limit, indirect);
}

const paths = process.argv.slice(2);
const whole = paths.length === 0;
const sources = (whole ? ['src'] : paths).flatMap(typeScriptFiles).sort();
const documents = (whole ? ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs'] : paths)
  .flatMap(filesUnder)
  .filter((file) => file.endsWith('.md'));

const reports = [
  ...(sources.length > 0 ? [...sourceReports(sources), ...layoutReports(sources)] : []),
  ...(whole
    ? [
        textReport(
          'indirect words per 1,000 words of schema descriptions',
          schemaDescriptions('schema/schema.graphql'),
          limits.descriptions,
        ),
      ]
    : []),
  ...(documents.length > 0
    ? [
        textReport(
          'indirect words per 1,000 words of documents',
          documents.flatMap(documentText),
          limits.documents,
        ),
      ]
    : []),
];

for (const { name, measured, exceeded, findings } of reports) {
  console.log(`${exceeded ? '✗' : '✓'} ${name}: ${Number(measured.toFixed(1))}`);
  if (exceeded || !whole) for (const finding of findings) console.log(`    ${finding}`);
}
if (whole && reports.some(({ exceeded }) => exceeded)) process.exitCode = 1;
