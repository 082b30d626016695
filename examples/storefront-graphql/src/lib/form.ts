/** Forms with labelled fields, one request at a time, and errors at the invalid field. */
import { DuetError } from '@duet-gateway/client-graphql';
import { type Child, fill, h, status } from './dom.ts';
import { detailMessage, errorMessages } from './error-messages.ts';

export interface Field {
  name: string;
  label: string;
  type?: string;
  autocomplete?: string;
  value?: string | null | undefined;
  optional?: boolean;
  /** Value and text of each option. */
  options?: readonly (readonly [string, string])[];
}

let count = 0;

export function field({ name, label, type, autocomplete, value, optional, options }: Field): HTMLElement {
  count += 1;
  const id = `${name}-${count}`;
  const common = { id, name, autocomplete, required: !optional, 'aria-describedby': `${id}-error` };
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
    h('p', { class: 'error', id: `${id}-error` }),
  );
}

/** Makes a field required or optional, with its label. */
export function setRequired(control: Control | null | undefined, isRequired: boolean): void {
  if (!control) return;
  control.required = isRequired;
  const label = control.parentElement?.querySelector('label');
  label?.querySelector('.soft')?.remove();
  if (!isRequired) label?.append(h('span', { class: 'soft' }, ' (optional)'));
}

type Values = Record<string, string>;

export interface FormOptions {
  id?: string;
  label: string;
  fields: Child;
  /** Text of the submit button. Without it, a button elsewhere references the form by id. */
  submit?: string;
  quiet?: boolean;
  /** Returns the success message, or undefined if another page follows. */
  send(values: Values): Promise<string | undefined>;
}

export function form({ id, label, fields, submit, quiet, send }: FormOptions): HTMLFormElement {
  const message = status();
  const button = submit && h('button', { class: quiet ? 'quiet' : 'main' }, submit);
  let isSending = false;
  const element = h('form', { id, 'aria-label': label, novalidate: true }, fields, button, message);
  element.addEventListener('submit', async (event) => {
    event.preventDefault();
    clearErrors(element);
    fill(message);
    if (isSending || showBrowserErrors(element)) return;
    isSending = true;
    element.setAttribute('aria-busy', 'true');
    try {
      const values = Object.fromEntries(
        [...new FormData(element)].map(([name, value]) => [name, String(value).trim()]),
      );
      fill(message, await send(values));
    } catch (error) {
      const otherErrors = showErrors(element, error);
      fill(
        message,
        otherErrors.map((line) => h('span', { role: 'alert', class: 'error' }, line)),
      );
      // The button may be elsewhere on the page.
      if (otherErrors.length > 0) message.scrollIntoView({ block: 'center' });
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

function setError(control: Control, text: string): void {
  const output = document.getElementById(`${control.id}-error`);
  if (output) output.textContent = text;
  if (text) control.setAttribute('aria-invalid', 'true');
  else control.removeAttribute('aria-invalid');
}

const clearErrors = (element: HTMLFormElement) => {
  for (const control of controlsOf(element)) setError(control, '');
};

/** Shows the errors of the browser's own validation; returns whether there are any. */
function showBrowserErrors(element: HTMLFormElement): boolean {
  const invalid = controlsOf(element).filter((control) => !control.checkValidity());
  for (const control of invalid) setError(control, control.validationMessage);
  invalid[0]?.focus();
  return invalid.length > 0;
}

/** Shows each error detail at its field; returns the messages that belong to no field. */
function showErrors(element: HTMLFormElement, error: unknown): string[] {
  if (!(error instanceof DuetError) || error.details.length === 0) return errorMessages(error);
  const controls = controlsOf(element);
  return error.details.flatMap((detail) => {
    const control = controls.find(({ name }) => name !== '' && name === detail.field.split('.').at(-1));
    if (!control) return [detailMessage(detail)];
    setError(control, detailMessage(detail));
    control.focus();
    return [];
  });
}
