/** Renders parsed mail templates. Every value is escaped; values are never parsed as templates. Pure. */
import { escapeHtml } from '../../../lib/text/escape-text.ts';
import { type MailTemplateNode, orderLinesSectionName } from './parse-template.ts';

export interface OrderMailLine {
  name: string;
  quantity: string;
  total: string;
}

export interface MailPlaceholderValues {
  /** Values by placeholder; absent ones are empty. */
  fields: Readonly<Record<string, string>>;
  lines: readonly OrderMailLine[];
}

type MailValueFormat = 'html' | 'text';

/** Characters of all lines together; further lines are left out. Bounds mails of large orders with a long template. */
const maxLinesLength = 250_000;

export function renderMailTemplateNodes(
  nodes: readonly MailTemplateNode[],
  values: MailPlaceholderValues,
  format: MailValueFormat,
): string {
  let remainingLength = maxLinesLength;
  const encode = (value: string) => (format === 'html' ? escapeHtml(value).replaceAll('\n', '<br>') : value);
  const renderNodes = (children: readonly MailTemplateNode[], line: OrderMailLine | undefined): string => {
    const lookUp = (name: string): string =>
      name.startsWith('line.')
        ? (line?.[name.slice('line.'.length) as keyof OrderMailLine] ?? '')
        : (values.fields[name] ?? '');
    return children
      .map((node) => {
        if (node.type === 'text') return node.text;
        if (node.type === 'value') return encode(lookUp(node.name));
        if (node.name === orderLinesSectionName && !node.isInverted)
          return values.lines
            .map((item) => {
              const text = remainingLength > 0 ? renderNodes(node.nodes, item) : '';
              remainingLength -= text.length;
              return text;
            })
            .join('');
        const isEmpty =
          node.name === orderLinesSectionName ? values.lines.length === 0 : lookUp(node.name) === '';
        return isEmpty === node.isInverted ? renderNodes(node.nodes, line) : '';
      })
      .join('');
  };
  return renderNodes(nodes, undefined);
}
