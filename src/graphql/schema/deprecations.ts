/** What is on its way out, in one place, by its coordinate in the schema. */

export interface Deprecation {
  /** The day from which another way is better. */
  since: string;
  /** The day it may stop to work, once that is decided. */
  sunset?: string;
  /** What to send or read instead. */
  reason: string;
}

const oneOfRefund: Deprecation = { since: '2026-11-15', reason: 'Use `of`, which takes exactly one form.' };
const oneOfDiscount: Deprecation = {
  since: '2026-11-15',
  reason: 'Use `discount`, which takes exactly one form.',
};
const oneOfOwner: Deprecation = { since: '2026-11-15', reason: 'Use `ownedBy`, or `collectionId`.' };

/** By schema coordinate. What the documented REST wire has never stands here. */
export const deprecations = {
  'CreateEntryInput.owner': oneOfOwner,
  'CreatePromoCodeInput.amount': oneOfDiscount,
  'CreatePromoCodeInput.bps': oneOfDiscount,
  'CreatePromoCodeInput.currency': oneOfDiscount,
  'CreatePromoCodeInput.type': oneOfDiscount,
  'RefundInput.amount': oneOfRefund,
  'RefundInput.lines': oneOfRefund,
  'UpdateEntryInput.owner': oneOfOwner,
  'UpdatePromoCodeInput.amount': oneOfDiscount,
  'UpdatePromoCodeInput.bps': oneOfDiscount,
  'UpdatePromoCodeInput.currency': oneOfDiscount,
  'UpdatePromoCodeInput.type': oneOfDiscount,
} as const satisfies Readonly<Record<string, Deprecation>>;

export type DeprecatedCoordinate = keyof typeof deprecations;

export const isDeprecatedCoordinate = (coordinate: string): boolean =>
  Object.hasOwn(deprecations, coordinate);

/** The option that marks a field of the schema. */
export const deprecatedField = (coordinate: DeprecatedCoordinate) => ({
  deprecationReason: deprecations[coordinate].reason,
});
