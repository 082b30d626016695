/** Sending things back: what was asked for, and asking. */
import { ask, businessId } from '../gateway.ts';
import { type OrderPartsFragment, SendBackDocument } from '../generated/graphql';
import { type Child, h } from '../lib/dom.ts';
import { field, form } from '../lib/form.ts';

const told = {
  REQUESTED: 'You asked to send something back. We will answer soon.',
  ACCEPTED: 'We took it back, and your money is on its way.',
  REFUSED: 'We could not take it back.',
  WITHDRAWN: 'You kept it.',
};

export const returns = ({ returns: all }: OrderPartsFragment): Child =>
  all.map(({ status, refusal }) => h('p', { class: 'notice' }, told[status], refusal && ` ${refusal}`));

const upTo = (count: number): [string, string][] =>
  Array.from({ length: count + 1 }, (_, index) => [String(index), String(index)]);

export function returnForm({ id, lines }: OrderPartsFragment): Child {
  const fields = lines.map(({ name, returnableQuantity }, line) =>
    returnableQuantity > 0
      ? field({ name: `line-${line}`, label: name, options: upTo(returnableQuantity) })
      : null,
  );
  if (fields.every((one) => one === null)) return null;
  const asking = form({
    label: 'Send something back',
    quiet: true,
    submit: 'Ask to send it back',
    fields: [fields, field({ name: 'reason', label: 'Why?', optional: true })],
    async send({ reason, ...chosen }) {
      const units = Object.entries(chosen)
        .map(([name, quantity]) => ({ line: Number(name.slice('line-'.length)), quantity: Number(quantity) }))
        .filter(({ quantity }) => quantity > 0);
      if (units.length === 0) return 'Say how many of what.';
      const input = { lines: units, ...(reason ? { reason } : {}) };
      await ask(SendBackDocument, { businessId, id, input }, { idempotencyKey: true });
      return undefined;
    },
  });
  return h('details', {}, h('summary', {}, 'Send something back'), asking);
}
