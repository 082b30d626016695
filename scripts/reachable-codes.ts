/** Which of some words the code behind a root field can say: read off the declarations that its resolver reaches. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

interface Node {
  type: string;
  [part: string]: unknown;
}

/** What a piece of code mentions: names that may be declarations, and words. */
interface Mentions {
  names: Set<string>;
  words: Set<string>;
}

interface Module {
  /** By local name: where it comes from, and what it is called there. */
  imports: Map<string, { from: string; name: string }>;
  declarations: Map<string, Mentions>;
  rootFields: Map<string, Mentions>;
  /** Words where a detail code is said. */
  codes: Set<string>;
}

/** What refuses with a code: one of the arguments is the code. */
const refusing =
  /^(?:withDetailCode|customIssue|ownerError|valueError|uploadError|blockError|addIssue|fault|refused?|refusal|wrong|alreadyTakenError|distinctBy|promoDetail|paymentLinkError|quoteError|allowedUrlSchema|promoIssue|lineError|lineDetail|documentError|fieldsError)$/;

const word = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/;

export class Reach {
  readonly #modules = new Map<string, Module>();
  readonly #rootFields = new Map<string, { file: string; mentions: Mentions }>();

  constructor(folder: string) {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.startsWith('generated'))
      .map((file) => join(folder, file));
    for (const file of files) this.#modules.set(file, readModule(file));
    for (const [file, { rootFields }] of this.#modules)
      for (const [name, mentions] of rootFields) this.#rootFields.set(name, { file, mentions });
  }

  get rootFields(): string[] {
    return [...this.#rootFields.keys()].sort();
  }

  /** Every word that is said as a detail code somewhere. */
  get codes(): ReadonlySet<string> {
    return new Set([...this.#modules.values()].flatMap(({ codes }) => [...codes]));
  }

  /** Words in capitals that stand in the code which a root field reaches. */
  ofField(rootField: string): ReadonlySet<string> {
    return this.#from(this.#rootFields.get(rootField));
  }

  /** The same for a declaration. */
  ofDeclaration(file: string, name: string): ReadonlySet<string> {
    return this.#from(this.#find(file, name));
  }

  #from(start: { file: string; mentions: Mentions } | undefined): ReadonlySet<string> {
    if (!start) throw new Error('There is no such code.');
    const words = new Set<string>();
    const seen = new Set<Mentions>();
    const visit = (file: string, mentions: Mentions): void => {
      if (seen.has(mentions)) return;
      seen.add(mentions);
      for (const said of mentions.words) words.add(said);
      for (const name of mentions.names) {
        const found = this.#find(file, name);
        if (found) visit(found.file, found.mentions);
      }
    };
    visit(start.file, start.mentions);
    return words;
  }

  #find(file: string, name: string): { file: string; mentions: Mentions } | undefined {
    const module = this.#modules.get(file);
    const mentions = module?.declarations.get(name);
    if (mentions) return { file, mentions };
    const [local = '', member] = name.split('.');
    const imported = module?.imports.get(local);
    if (!imported || (imported.name === '*') !== (member !== undefined)) return undefined;
    return this.#find(imported.from, member ?? imported.name);
  }
}

function readModule(file: string): Module {
  const { body } = parseAst(readFileSync(file, 'utf8'), { lang: 'ts' }) as unknown as { body: Node[] };
  const module: Module = {
    imports: new Map(),
    declarations: new Map(),
    rootFields: new Map(),
    codes: new Set(),
  };
  for (const statement of body) readStatement(file, module, statement);
  collectCodes(body, module.codes);
  return module;
}

function readStatement(file: string, module: Module, statement: Node): void {
  const source = (statement.source as { value: string } | null | undefined)?.value;
  if (source?.startsWith('.')) {
    const from = join(dirname(file), source);
    for (const one of (statement.specifiers ?? []) as Node[]) {
      // `import { a as b }` has imported and local; `export { a as b } from` has local and exported.
      const inside = one.type === 'ImportNamespaceSpecifier' ? '*' : nameOf(one.imported ?? one.local);
      const outside = nameOf(statement.type === 'ImportDeclaration' ? one.local : one.exported);
      module.imports.set(outside, { from, name: inside });
    }
    return;
  }
  const declared = (statement.declaration as Node | null | undefined) ?? statement;
  if (declared.type === 'FunctionDeclaration' || declared.type === 'ClassDeclaration')
    module.declarations.set(nameOf(declared.id), mentionsOf(declared));
  if (declared.type === 'VariableDeclaration')
    for (const one of declared.declarations as Node[])
      module.declarations.set(nameOf(one.id), mentionsOf(one.init));
  if (declared.type === 'ExpressionStatement') readRootFields(module, declared.expression as Node);
}

/** `builder.mutationFields((t) => ({ name: t.field(…) }))`, with or without constants before the object. */
function readRootFields(module: Module, call: Node): void {
  const callee = call.callee as { property?: unknown } | undefined;
  if (!/^(?:query|mutation)Fields$/.test(nameOf(callee?.property))) return;
  const [made] = call.arguments as Node[];
  const body = made?.body as Node;
  const object =
    body.type === 'BlockStatement'
      ? ((body.body as Node[]).find(({ type }) => type === 'ReturnStatement')?.argument as Node)
      : body;
  for (const property of object.properties as Node[])
    if (property.type === 'Property') module.rootFields.set(nameOf(property.key), mentionsOf(property.value));
}

const nameOf = (node: unknown): string => (node as { name?: string } | null | undefined)?.name ?? '';

function mentionsOf(node: unknown): Mentions {
  const found: Mentions = { names: new Set(), words: new Set() };
  collect(node, found);
  return found;
}

function collect(node: unknown, found: Mentions): void {
  if (Array.isArray(node)) {
    for (const one of node) collect(one, found);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  const { type = '', ...parts } = node as Partial<Node>;
  // Types say what may be, not what is said.
  if (type.startsWith('TS') && !('expression' in parts)) return;
  if (type === 'Identifier') found.names.add(String(parts.name));
  if (type === 'Literal' && typeof parts.value === 'string' && word.test(parts.value))
    found.words.add(parts.value);
  if (type === 'MemberExpression') found.names.add(`${nameOf(parts.object)}.${nameOf(parts.property)}`);
  const isMember = type === 'MemberExpression' && !parts.computed;
  const isKey = type === 'Property' && !parts.computed;
  for (const [name, part] of Object.entries(parts))
    if (!(isMember && name === 'property') && !(isKey && name === 'key')) collect(part, found);
}

const isWord = (node: unknown): node is { value: string } => {
  const { type, value } = (node ?? {}) as { type?: string; value?: unknown };
  return type === 'Literal' && typeof value === 'string' && word.test(value);
};

/** `{error: 'CODE'}`, also where a condition chooses, and `rule('CODE', …)`. */
function collectCodes(node: unknown, codes: Set<string>): void {
  if (Array.isArray(node)) {
    for (const one of node) collectCodes(one, codes);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  const { type, ...parts } = node as Partial<Node>;
  const said =
    type === 'Property' && nameOf(parts.key) === 'error'
      ? [parts.value, ...Object.values((parts.value ?? {}) as object)]
      : type === 'CallExpression' && refusing.test(nameOf(parts.callee))
        ? (parts.arguments as unknown[])
        : [];
  for (const one of said) if (isWord(one)) codes.add(one.value);
  for (const part of Object.values(parts)) collectCodes(part, codes);
}
