/** Blocks: the typed fields that content is made of, as definitions and as values. */

export const blockTypes = [
  'TEXT',
  'NUMBER',
  'BOOLEAN',
  'DATE',
  'RELATIONSHIP',
  'GEO_LOCATION',
  'MEDIA',
  'SELECT',
  'MULTI_SELECT',
] as const;

export type BlockType = (typeof blockTypes)[number];

export const targetTypes = ['USER', 'PRODUCT', 'ENTRY', 'COLLECTION', 'ORDER'] as const;
export type TargetType = (typeof targetTypes)[number];

/** What a relationship points at, as callers write it in any case. */
export function parseTargetType(word: string | undefined): TargetType | undefined {
  const name = word?.toUpperCase();
  return targetTypes.find((type) => type === name);
}

export interface BlockSettings {
  maxLength?: number | undefined;
  variant?: string | undefined;
  targetType?: string | undefined;
  options?: string[] | undefined;
}

export interface Block {
  id: string;
  type: BlockType;
  label?: string | undefined;
  required?: boolean | undefined;
  settings?: BlockSettings | undefined;
  value?: unknown;
}
