/** Shapes shared by several domains: media items and status history entries. */

/** Smaller rendition of an uploaded image. */
export interface MediaResolution {
  readonly width: number;
  readonly height: number;
  readonly url: string;
  readonly mimeType: string;
}

export interface MediaItem {
  readonly id: string;
  readonly url: string;
  readonly mimeType: string;
  /** Id of the uploaded file; all fields except `id` and `alt` are taken from it. */
  readonly mediaId?: string | undefined;
  readonly alt?: string | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly resolutions?: readonly MediaResolution[] | undefined;
}

export const statusActorKinds = ['USER', 'SYSTEM'] as const;

export interface StatusHistoryEntry<Status extends string = string> {
  readonly id: string;
  readonly status: Status;
  readonly changedBy: (typeof statusActorKinds)[number];
  readonly userId?: string | undefined;
  readonly timestamp: number;
}
