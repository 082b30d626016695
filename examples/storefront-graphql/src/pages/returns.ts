/** Returns of an order: their status, and the form that requests one. */
import { businessId, run } from '../gateway.ts';
import { type OrderPartsFragment, SendBackDocument } from '../generated/graphql';
import { type Child, h } from '../lib/dom.ts';
import { field, form } from '../lib/form.ts';

const statusTexts = {
  REQUESTED: 'You have requested a return. We will reply soon.',
  ACCEPTED: 'We have accepted your return. Your refund is on its way.',
  REFUSED: 'We could not accept your return.',
  WITHDRAWN: 'You have withdrawn your return.',
};

export const returns = ({ returns: all }: OrderPartsFragment): Child =>
  all.map(({ status, refusal }) =>
    h('p', { class: 'notice' }, statusTexts[status], refusal && ` ${refusal}`),
  );

const upTo = (count: number): [string, string][] =>
  Array.from({ length: count + 1 }, (_, index) => [String(index), String(index)]);

export function returnForm({ id, lines }: OrderPartsFragment): Child {
  const fields = lines.map(({ name, returnableQuantity }, line) =>
    returnableQuantity > 0
      ? field({ name: `line-${line}`, label: name, options: upTo(returnableQuantity) })
      : null,
  );
  if (fields.every((element) => element === null)) return null;
  const returnRequestForm = form({
    label: 'Request a return',
    quiet: true,
    submit: 'Request return',
    fields: [fields, field({ name: 'reason', label: 'Reason', optional: true })],
    async send({ reason, ...quantities }) {
      const units = Object.entries(quantities)
        .map(([name, quantity]) => ({ line: Number(name.slice('line-'.length)), quantity: Number(quantity) }))
        .filter(({ quantity }) => quantity > 0);
      if (units.length === 0) return 'Choose the number of units to return.';
      const input = { lines: units, ...(reason ? { reason } : {}) };
      await run(SendBackDocument, { businessId, id, input }, { idempotencyKey: true });
      return undefined;
    },
  });
  return h('details', {}, h('summary', {}, 'Request a return'), returnRequestForm);
}
