/** Minimal DOM helpers instead of a framework. */
import { pathTo } from './paths.ts';

export type Child = Node | string | number | false | null | undefined | readonly Child[];
type Value = string | number | boolean | null | undefined | ((event: Event) => void);

export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, Value>> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value instanceof Function) element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined)
      element.setAttribute(name, String(value));
  }
  element.append(...flat(children));
  return element;
}

const flat = (children: readonly Child[]): (Node | string)[] =>
  children.flatMap((child): (Node | string)[] => {
    if (child === null || child === undefined || child === false) return [];
    if (typeof child === 'number') return [String(child)];
    return typeof child === 'string' || child instanceof Node ? [child] : flat(child);
  });

/** Replaces the children of an element; the focus stays on the element with the same id. */
export function fill(element: Element, ...children: Child[]): void {
  const focused = element.contains(document.activeElement) ? document.activeElement?.id : undefined;
  element.replaceChildren(...flat(children));
  if (focused) document.getElementById(focused)?.focus();
}

/** Link to a page of the shop. */
export const link = (path: string, ...children: Child[]) => h('a', { href: pathTo(path) }, ...children);

/** Live region for results, which screen readers announce. */
export const status = (id?: string) => h('p', { class: 'status', role: 'status', id });
