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
