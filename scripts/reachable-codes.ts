/** Static analysis of detail codes: finds the codes in all declarations that the resolver of a root field references, directly or indirectly. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

interface Node {
  type: string;
  [part: string]: unknown;
}

/** Identifiers that may refer to declarations, and constants in capitals that may be codes. */
interface References {
  names: Set<string>;
  constants: Set<string>;
}

interface Module {
  /** By local name: file and name of the imported declaration. */
  imports: Map<string, { from: string; name: string }>;
  declarations: Map<string, References>;
  rootFields: Map<string, References>;
  /** Constants in positions where only a detail code can be. */
  detailCodes: Set<string>;
}

/** Functions that create an error; one of their arguments is its detail code. */
const errorFactory =
  /^(?:detailCodeRefineOptions|createDetailCodeIssue|ownerError|valueError|uploadError|blockError|addIssue|alreadyTakenError|requireDistinctItems|toPromoCodeErrorDetail|paymentLinkError|quoteError|allowedUrlSchema|promoIssue|lineError|lineDetail|documentError|fieldsError|validationError)$/;

/**
 * Functions that return errors as data, for `problems` of a cart, or ignore them, as those of a stored mail template. The errors that callers
 * throw nevertheless are constants of the callers.
 */
const errorReporters = /^(?:evaluateStoredCart|evaluateCarts|renderMailTemplate)$/;

const constantPattern = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/;

export class ReachableCodes {
  readonly #modules = new Map<string, Module>();
  readonly #rootFields = new Map<string, { file: string; references: References }>();

  constructor(folder: string) {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.startsWith('generated'))
      .map((file) => join(folder, file));
    for (const file of files) this.#modules.set(file, readModule(file));
    for (const [file, { rootFields }] of this.#modules)
      for (const [name, references] of rootFields) this.#rootFields.set(name, { file, references });
  }

  get rootFields(): string[] {
    return [...this.#rootFields.keys()].sort();
  }

  /** All constants that are used as a detail code. */
  get detailCodes(): ReadonlySet<string> {
    return new Set([...this.#modules.values()].flatMap(({ detailCodes }) => [...detailCodes]));
  }

  /** Constants in capitals that are reachable from a root field. */
  fromField(rootField: string): ReadonlySet<string> {
    return this.#constantsFrom(rootField, this.#rootFields.get(rootField));
  }

  /** Constants in capitals that are reachable from a declaration. */
  fromDeclaration(file: string, name: string): ReadonlySet<string> {
    return this.#constantsFrom(`${name} in ${file}`, this.#find(file, name));
  }

  #constantsFrom(
    label: string,
    start: { file: string; references: References } | undefined,
  ): ReadonlySet<string> {
    if (!start) throw new Error(`There is no declaration of ${label}.`);
    const constants = new Set<string>();
    const visited = new Set<References>();
    const visit = (file: string, references: References): void => {
      if (visited.has(references)) return;
      visited.add(references);
      for (const constant of references.constants) constants.add(constant);
      for (const name of references.names) {
        if (errorReporters.test(name)) continue;
        const target = this.#find(file, name);
        if (target) visit(target.file, target.references);
      }
    };
    visit(start.file, start.references);
    return constants;
  }

  #find(file: string, name: string): { file: string; references: References } | undefined {
    const module = this.#modules.get(file);
    const references = module?.declarations.get(name);
    if (references) return { file, references };
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
    detailCodes: new Set(),
  };
  for (const statement of body) readStatement(file, module, statement);
  collectDetailCodes(body, module.detailCodes);
  return module;
}

function readStatement(file: string, module: Module, statement: Node): void {
  const source = (statement.source as { value: string } | null | undefined)?.value;
  if (source?.startsWith('.')) {
    const from = join(dirname(file), source);
    for (const specifier of (statement.specifiers ?? []) as Node[]) {
      // `import { a as b }` has imported and local; `export { a as b } from` has local and exported.
      const sourceName =
        specifier.type === 'ImportNamespaceSpecifier' ? '*' : nameOf(specifier.imported ?? specifier.local);
      const localName = nameOf(statement.type === 'ImportDeclaration' ? specifier.local : specifier.exported);
      module.imports.set(localName, { from, name: sourceName });
    }
    return;
  }
  const declaration = (statement.declaration as Node | null | undefined) ?? statement;
  if (declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration')
    module.declarations.set(nameOf(declaration.id), referencesOf(declaration));
  if (declaration.type === 'VariableDeclaration')
    for (const { id, init } of declaration.declarations as Node[])
      module.declarations.set(nameOf(id), isJobDefinition(init) ? referencesOf(null) : referencesOf(init));
  if (declaration.type === 'ExpressionStatement') readRootFields(module, declaration.expression as Node);
}

/** Reads `builder.mutationFields((t) => ({ name: t.field(…) }))`, with or without constants before the object. */
function readRootFields(module: Module, call: Node): void {
  const callee = call.callee as { property?: unknown } | undefined;
  if (!/^(?:query|mutation)Fields$/.test(nameOf(callee?.property))) return;
  const [callback] = call.arguments as Node[];
  const body = callback?.body as Node;
  const object =
    body.type === 'BlockStatement'
      ? ((body.body as Node[]).find(({ type }) => type === 'ReturnStatement')?.argument as Node)
      : body;
  for (const property of object.properties as Node[])
    if (property.type === 'Property')
      module.rootFields.set(nameOf(property.key), referencesOf(withoutType(property.value as Node)));
}

/** A job runs later and fails on its own: a function that enqueues it does not return its errors. */
const isJobDefinition = (node: unknown): boolean => {
  const { type, callee } = (node ?? {}) as Partial<Node>;
  return type === 'CallExpression' && nameOf(callee) === 'defineJob';
};

/** Options of a field without its type: fields of the type fail by themselves, and only if they are selected. */
const withoutType = ({ arguments: args, ...call }: Node): unknown => ({
  arguments: (args as Node[] | undefined)?.map(({ properties, ...options }) => ({
    properties: (properties as Node[] | undefined)?.filter(({ key }) => nameOf(key) !== 'type'),
    ...options,
  })),
  ...call,
});

const nameOf = (node: unknown): string => (node as { name?: string } | null | undefined)?.name ?? '';

function referencesOf(node: unknown): References {
  const references: References = { names: new Set(), constants: new Set() };
  collectReferences(node, references);
  return references;
}

function collectReferences(node: unknown, references: References): void {
  if (Array.isArray(node)) {
    for (const element of node) collectReferences(element, references);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  const { type = '', ...parts } = node as Partial<Node>;
  // A type lists possible values; it does not return any.
  if (type.startsWith('TS') && !('expression' in parts)) return;
  if (type === 'Identifier') references.names.add(String(parts.name));
  if (type === 'Literal' && typeof parts.value === 'string' && constantPattern.test(parts.value))
    references.constants.add(parts.value);
  if (type === 'MemberExpression') references.names.add(`${nameOf(parts.object)}.${nameOf(parts.property)}`);
  const isMember = type === 'MemberExpression' && !parts.computed;
  const isKey = type === 'Property' && !parts.computed;
  for (const [name, part] of Object.entries(parts))
    if (!(isMember && name === 'property') && !(isKey && name === 'key')) collectReferences(part, references);
}

const isConstant = (node: unknown): node is { value: string } => {
  const { type, value } = (node ?? {}) as { type?: string; value?: unknown };
  return type === 'Literal' && typeof value === 'string' && constantPattern.test(value);
};

/** Collects `{error: 'CODE'}`, including the branches of a conditional expression, and arguments of error factories. */
function collectDetailCodes(node: unknown, codes: Set<string>): void {
  if (Array.isArray(node)) {
    for (const element of node) collectDetailCodes(element, codes);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  const { type, ...parts } = node as Partial<Node>;
  const candidates =
    type === 'Property' && nameOf(parts.key) === 'error'
      ? [parts.value, ...Object.values((parts.value ?? {}) as object)]
      : type === 'CallExpression' && errorFactory.test(nameOf(parts.callee))
        ? (parts.arguments as unknown[])
        : [];
  for (const candidate of candidates) if (isConstant(candidate)) codes.add(candidate.value);
  for (const part of Object.values(parts)) collectDetailCodes(part, codes);
}
