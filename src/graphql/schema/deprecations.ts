/** Deprecated schema coordinates with reason, deprecation date and sunset date. */

export interface Deprecation {
  /** Date of the deprecation, `YYYY-MM-DD`. */
  since: string;
  /** Date from which it may stop working, `YYYY-MM-DD`; absent until decided. */
  sunset?: string;
  /** Replacement, shown as `deprecationReason`. */
  reason: string;
}

const oneOfRefund: Deprecation = { since: '2026-11-15', reason: 'Use `of`, which takes exactly one form.' };
const oneOfDiscount: Deprecation = {
  since: '2026-11-15',
  reason: 'Use `discount`, which takes exactly one form.',
};
const oneOfOwner: Deprecation = { since: '2026-11-15', reason: 'Use `ownedBy`, or `collectionId`.' };

/** By schema coordinate. Fields of the documented REST contract are never deprecated. */
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

/** Field option that marks a field as deprecated. */
export const deprecatedField = (coordinate: DeprecatedCoordinate) => ({
  deprecationReason: deprecations[coordinate].reason,
});
