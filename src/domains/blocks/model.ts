/** Block: a typed content field, as a definition in a schema or as a value in a record. */

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

export const relationshipTargetTypes = ['USER', 'PRODUCT', 'ENTRY', 'COLLECTION', 'ORDER'] as const;
export type RelationshipTargetType = (typeof relationshipTargetTypes)[number];

/** Parses a target type, ignoring case. */
export function parseRelationshipTargetType(text: string | undefined): RelationshipTargetType | undefined {
  const name = text?.toUpperCase();
  return relationshipTargetTypes.find((type) => type === name);
}

export interface BlockSettings {
  readonly maxLength?: number | undefined;
  readonly variant?: string | undefined;
  readonly targetType?: string | undefined;
  readonly options?: readonly string[] | undefined;
}

export interface Block {
  readonly id: string;
  readonly type: BlockType;
  readonly label?: string | undefined;
  readonly required?: boolean | undefined;
  readonly settings?: BlockSettings | undefined;
  readonly value?: unknown;
}
