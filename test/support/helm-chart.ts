/**
 * Renders a Helm chart with the subset of Go templates that ops/helm uses: if, else, with, range, define, include, variables and pipelines.
 * An unsupported function or syntax is an error.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';

type Value = unknown;
type Variables = ReadonlyMap<string, Value>;
interface Scope {
  dot: Value;
  variables: Variables;
}
type Render = (scope: Scope) => string;
type Evaluate = (scope: Scope) => Value;

const isEmpty = (value: Value): boolean =>
  !value || (typeof value === 'object' && Object.keys(value).length === 0);
const text = (value: Value): string => (value === undefined || value === null ? '' : String(value));

const functions: Record<string, (...values: Value[]) => Value> = {
  and: (...values) => values.find(isEmpty) ?? values.at(-1),
  contains: (part, whole) => text(whole).includes(text(part)),
  default: (standard, value) => (isEmpty(value) ? standard : value),
  nindent: (columns, lines) => `\n${text(lines).replace(/^/gm, ' '.repeat(Number(columns)))}`,
  not: isEmpty,
  printf: (format, ...values) => text(format).replace(/%s/g, () => text(values.shift())),
  quote: (value) => JSON.stringify(text(value)),
  required: (message, value) => {
    if (value === undefined || value === null || value === '') throw new Error(text(message));
    return value;
  },
  sha256sum: (value) => createHash('sha256').update(text(value)).digest('hex'),
  toYaml: (value) => stringify(value, { sortMapEntries: true }).trimEnd(),
  trimSuffix: (suffix, value) =>
    text(value).endsWith(text(suffix)) ? text(value).slice(0, -text(suffix).length) : value,
  trunc: (length, value) => text(value).slice(0, Number(length)),
};

/** Parses the templates of one file; definitions are added to `definitions`. */
class Parser {
  private readonly parts: string[];
  private readonly definitions: Map<string, Render>;

  constructor(source: string, definitions: Map<string, Render>) {
    // Even indexes are text, odd ones actions.
    this.parts = source
      .replace(/\s*\{\{-/g, '{{')
      .replace(/-\}\}\s*/g, '}}')
      .split(/\{\{([\s\S]*?)\}\}/);
    this.definitions = definitions;
  }

  /** Reads up to one of the closing actions, and returns the action that was found. */
  block(...closing: string[]): { render: Render; end: string } {
    const renders: Render[] = [];
    const variables = new Map<string, Value>();
    const body: Render = ({ dot, variables: outer }) => {
      for (const [name, value] of outer) variables.set(name, value);
      return renders.map((render) => render({ dot, variables })).join('');
    };
    for (;;) {
      const literal = this.parts.shift() ?? '';
      renders.push(() => literal);
      const action = this.parts.shift()?.trim();
      if (action === undefined) {
        if (closing.length > 0) throw new Error(`There is no {{ ${closing.join(' or ')} }}.`);
        return { render: body, end: '' };
      }
      const [keyword = ''] = action.split(/\s/);
      if (closing.includes(keyword)) return { render: body, end: action };
      renders.push(this.action(keyword, action, variables));
    }
  }

  private action(keyword: string, action: string, variables: Map<string, Value>): Render {
    const rest = action.slice(keyword.length).trim();
    if (keyword === 'if' || keyword === 'with') return this.condition(keyword, rest);
    if (keyword === 'range') return this.range(rest);
    if (keyword === 'define') {
      this.definitions.set(JSON.parse(rest), this.block('end').render);
      return () => '';
    }
    const assignment = /^\$(\w+)\s*:=\s*(.*)$/s.exec(action);
    const evaluate = this.pipeline(assignment?.[2] ?? action);
    if (!assignment) return (scope) => text(evaluate(scope));
    return (scope) => {
      variables.set(assignment[1] ?? '', evaluate(scope));
      return '';
    };
  }

  private condition(keyword: 'if' | 'with', expression: string): Render {
    const evaluate = this.pipeline(expression);
    const { render, end } = this.block('else', 'end');
    const otherwise = end === 'else' ? this.block('end').render : () => '';
    if (end !== 'else' && end !== 'end') throw new Error(`{{ ${end} }} is not supported.`);
    return (scope) => {
      const value = evaluate(scope);
      if (isEmpty(value)) return otherwise(scope);
      return render(keyword === 'with' ? { ...scope, dot: value } : scope);
    };
  }

  private range(expression: string): Render {
    const [, key = '', item = '', list = ''] = /^\$(\w+),\s*\$(\w+)\s*:=\s*(.+)$/s.exec(expression) ?? [];
    const evaluate = this.pipeline(list);
    const { render } = this.block('end');
    return (scope) =>
      Object.entries(evaluate(scope) ?? {})
        // Go ranges over maps in the order of their keys.
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, value]) =>
          render({ dot: value, variables: new Map([...scope.variables, [key, name], [item, value]]) }),
        )
        .join('');
  }

  private pipeline(source: string): Evaluate {
    const tokens = source.match(/"(?:[^"\\]|\\.)*"|[()|]|[^\s()|]+/g) ?? [];
    const evaluate = this.commands(tokens);
    if (tokens.length > 0) throw new Error(`{{ ${source} }} has unexpected ${tokens.join(' ')}.`);
    return evaluate;
  }

  private commands(tokens: string[]): Evaluate {
    let evaluate = this.command(tokens);
    while (tokens[0] === '|') {
      tokens.shift();
      const input = evaluate;
      evaluate = this.command(tokens, input);
    }
    return evaluate;
  }

  private command(tokens: string[], input?: Evaluate): Evaluate {
    const operands: Evaluate[] = [];
    const name = /^[a-z]/i.test(tokens[0] ?? '') ? tokens.shift() : undefined;
    while (tokens.length > 0 && tokens[0] !== '|' && tokens[0] !== ')') operands.push(this.operand(tokens));
    if (input) operands.push(input);
    if (name === undefined) {
      const [operand] = operands;
      if (!operand || operands.length > 1) throw new Error('A value takes no arguments.');
      return operand;
    }
    if (name === 'include')
      return ({ variables, ...scope }) => {
        const [template, dot] = operands.map((operand) => operand({ variables, ...scope }));
        const render = this.definitions.get(text(template));
        if (!render) throw new Error(`There is no template ${text(template)}.`);
        return render({ dot, variables: new Map([['', dot]]) });
      };
    const run = functions[name];
    if (!run) throw new Error(`The function ${name} is not supported.`);
    return (scope) => run(...operands.map((operand) => operand(scope)));
  }

  private operand(tokens: string[]): Evaluate {
    const token = tokens.shift() ?? '';
    if (token === '(') {
      const evaluate = this.commands(tokens);
      tokens.shift();
      return evaluate;
    }
    if (/^["\d]/.test(token)) return () => JSON.parse(token);
    const [, dollar, variable = '', path = ''] = /^(\$(\w*))?((?:\.\w*)*)$/.exec(token) ?? [];
    if (dollar === undefined && path === '') throw new Error(`${token} is not supported.`);
    return ({ dot, variables }) =>
      path
        .split('.')
        .filter(Boolean)
        .reduce<Value>(
          (value, name) => (value as Record<string, Value> | undefined)?.[name],
          dollar === undefined ? dot : variables.get(variable),
        );
  }
}

/** Rendered files of a chart by name. `data` has `Chart`, `Release` and `Values`. */
export function renderChart(chart: string, data: object): Record<string, string> {
  const definitions = new Map<string, Render>();
  const folder = join(chart, 'templates');
  const files = readdirSync(folder).map((name): [string, Render] => [
    name,
    new Parser(readFileSync(join(folder, name), 'utf8'), definitions).block().render,
  ]);
  const scope = { dot: data, variables: new Map([['', data]]) };
  return Object.fromEntries(
    files.filter(([name]) => !name.startsWith('_')).map(([name, render]) => [name, render(scope)]),
  );
}
