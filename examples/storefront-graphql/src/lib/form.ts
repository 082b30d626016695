/** Forms: labelled fields, one request at a time, and what is wrong said where it is wrong. */
import { DuetError } from 'duet-client-graphql';
import { type Child, fill, h, status } from './dom.ts';
import { reasonOf, wordsOf } from './words.ts';

export interface Field {
  name: string;
  label: string;
  type?: string;
  autocomplete?: string;
  value?: string | null | undefined;
  /** Not needed. */
  optional?: boolean;
  /** Choices, as value and text. */
  options?: readonly (readonly [string, string])[];
}

let count = 0;

export function field({ name, label, type, autocomplete, value, optional, options }: Field): HTMLElement {
  count += 1;
  const id = `${name}-${count}`;
  const common = { id, name, autocomplete, required: !optional, 'aria-describedby': `${id}-fault` };
  const control = options
    ? h(
        'select',
        common,
        options.map(([code, text]) => h('option', { value: code, selected: code === value }, text)),
      )
    : h('input', { ...common, type: type ?? 'text', value });
  return h(
    'div',
    { class: 'field' },
    h('label', { for: id }, label, optional && h('span', { class: 'soft' }, ' (optional)')),
    control,
    h('p', { class: 'fault', id: `${id}-fault` }),
  );
}

type Values = Record<string, string>;

export interface FormOptions {
  id?: string;
  label: string;
  fields: Child;
  /** The text of the button; without it, the button is elsewhere and names the form. */
  submit?: string;
  quiet?: boolean;
  /** What is said when it is done; nothing when the page goes on by itself. */
  send(values: Values): Promise<string | undefined>;
}

export function form({ id, label, fields, submit, quiet, send }: FormOptions): HTMLFormElement {
  const said = status();
  const button = submit && h('button', { class: quiet ? 'quiet' : 'main' }, submit);
  let isSending = false;
  const element = h('form', { id, 'aria-label': label, novalidate: true }, fields, button, said);
  element.addEventListener('submit', async (event) => {
    event.preventDefault();
    clear(element);
    fill(said);
    if (isSending || lacks(element)) return;
    isSending = true;
    element.setAttribute('aria-busy', 'true');
    try {
      const values = Object.fromEntries(
        [...new FormData(element)].map(([name, value]) => [name, String(value).trim()]),
      );
      fill(said, await send(values));
    } catch (error) {
      const rest = blame(element, error);
      fill(
        said,
        rest.map((line) => h('span', { role: 'alert', class: 'fault' }, line)),
      );
    } finally {
      isSending = false;
      element.removeAttribute('aria-busy');
    }
  });
  return element;
}

type Control = HTMLInputElement | HTMLSelectElement;

const controlsOf = (element: HTMLFormElement) =>
  [...element.elements].filter(
    (control): control is Control =>
      control instanceof HTMLInputElement || control instanceof HTMLSelectElement,
  );

function mark(control: Control, fault: string): void {
  const place = document.getElementById(`${control.id}-fault`);
  if (place) place.textContent = fault;
  if (fault) control.setAttribute('aria-invalid', 'true');
  else control.removeAttribute('aria-invalid');
}

const clear = (element: HTMLFormElement) => {
  for (const control of controlsOf(element)) mark(control, '');
};

/** Whether the browser itself already knows of something wrong. */
function lacks(element: HTMLFormElement): boolean {
  const wrong = controlsOf(element).filter((control) => !control.checkValidity());
  for (const control of wrong) mark(control, control.validationMessage);
  wrong[0]?.focus();
  return wrong.length > 0;
}

/** Marks the fields that the gateway names, and returns what belongs to none. */
function blame(element: HTMLFormElement, error: unknown): string[] {
  if (!(error instanceof DuetError) || error.details.length === 0) return wordsOf(error);
  const controls = controlsOf(element);
  return error.details.flatMap((detail) => {
    const control = controls.find(({ name }) => name !== '' && name === detail.field.split('.').at(-1));
    if (!control) return [reasonOf(detail)];
    mark(control, reasonOf(detail));
    control.focus();
    return [];
  });
}
