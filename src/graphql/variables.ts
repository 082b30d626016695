/** Variables of an operation, as everybody passes them on. */
export type Variables = Readonly<Record<string, unknown>>;
