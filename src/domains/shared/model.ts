/** Shapes that several domains share: media, blocks and status histories. */

export interface Media {
  id: string;
  url: string;
  mimeType: string;
}

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

export const changers = ['USER', 'SYSTEM'] as const;

export interface StatusEntry<Status extends string = string> {
  id: string;
  status: Status;
  changedBy: (typeof changers)[number];
  userId?: string | undefined;
  timestamp: number;
}
