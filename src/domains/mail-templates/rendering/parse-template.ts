/**
 * Parses mail templates: `{{name}}` inserts a value, `{{#name}}…{{/name}}` renders its content if the value is not empty, `{{^name}}…{{/name}}`
 * if it is, and `{{#lines}}…{{/lines}}` once for each line. There are no expressions. Pure.
 */
import { formatSuggestion } from '../../../lib/text/closest-name.ts';
import {
  type MailTemplateKind,
  mailPlaceholdersOf,
  orderLinePlaceholders,
} from './mail-kinds-and-placeholders.ts';

export type MailTemplateNode =
  | { type: 'text'; text: string }
  | { type: 'value'; name: string }
  | { type: 'section'; name: string; isInverted: boolean; nodes: MailTemplateNode[] };

export interface MailTemplateProblem {
  error: 'UNKNOWN_PLACEHOLDER' | 'INVALID_FORMAT';
  message: string;
}

export const orderLinesSectionName = 'lines';
const maxDepth = 8;
const maxProblems = 10;
const maxPlaceholders = 200;

interface OpenSection {
  name: string;
  nodes: MailTemplateNode[];
}

/** Returns all problems at once, at most ten. */
export function parseMailTemplate(
  template: string,
  kind: MailTemplateKind,
): { nodes: MailTemplateNode[]; problems: MailTemplateProblem[] } {
  const names = mailPlaceholdersOf(kind).map(({ name }) => name);
  const lineNames = orderLinePlaceholders.map(({ name }) => name);
  const problems: MailTemplateProblem[] = [];
  const report = (error: MailTemplateProblem['error'], message: string) => {
    if (problems.length < maxProblems) problems.push({ error, message });
  };
  const root: OpenSection = { name: '', nodes: [] };
  const open: OpenSection[] = [root];
  const current = () => open.at(-1) ?? root;
  const addText = (text: string) => {
    if (/\{\{|\}\}/.test(text))
      report('INVALID_FORMAT', 'Braces that are not a placeholder: write {{name}}.');
    if (text !== '') current().nodes.push({ type: 'text', text });
  };
  const assertKnown = (name: string, isSection: boolean): void => {
    const isInLines = open.some((section) => section.name === orderLinesSectionName);
    const allowed = [
      ...names,
      ...(isInLines ? lineNames : []),
      ...(isSection && !isInLines ? [orderLinesSectionName] : []),
    ];
    if (allowed.includes(name)) return;
    const hint = lineNames.includes(name)
      ? ' It is available between {{#lines}} and {{/lines}}.'
      : formatSuggestion(name, allowed);
    report('UNKNOWN_PLACEHOLDER', `Unknown placeholder ${name}.${hint}`);
  };
  let end = 0;
  let count = 0;
  for (const match of template.matchAll(/\{\{\s*([#^/]?)\s*([\w.-]{1,60})\s*\}\}/g)) {
    const [whole, sign = '', name = ''] = match;
    addText(template.slice(end, match.index));
    count += 1;
    if (count > maxPlaceholders) {
      report('INVALID_FORMAT', `The template has more than ${maxPlaceholders} placeholders.`);
      end = template.length;
      break;
    }
    end = match.index + whole.length;
    if (sign === '/') {
      if (open.length > 1 && current().name === name) open.pop();
      else report('INVALID_FORMAT', `{{/${name}}} closes no section.`);
      continue;
    }
    assertKnown(name, sign !== '');
    if (sign === '') {
      current().nodes.push({ type: 'value', name });
    } else if (open.length > maxDepth) {
      report('INVALID_FORMAT', `Sections are nested more than ${maxDepth} levels deep.`);
    } else {
      const section = { type: 'section' as const, name, isInverted: sign === '^', nodes: [] };
      current().nodes.push(section);
      open.push(section);
    }
  }
  addText(template.slice(end));
  for (const { name } of open.slice(1)) report('INVALID_FORMAT', `{{#${name}}} is not closed.`);
  return { nodes: root.nodes, problems };
}
