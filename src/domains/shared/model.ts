/** Shapes shared by several domains: media items and status history entries. */

/** Smaller rendition of an uploaded image. */
export interface MediaResolution {
  width: number;
  height: number;
  url: string;
  mimeType: string;
}

export interface Media {
  id: string;
  url: string;
  mimeType: string;
  /** Id of the uploaded file; all fields except `id` and `alt` are taken from it. */
  mediaId?: string | undefined;
  alt?: string | undefined;
  width?: number | undefined;
  height?: number | undefined;
  resolutions?: MediaResolution[] | undefined;
}

export const statusActorKinds = ['USER', 'SYSTEM'] as const;

export interface StatusHistoryEntry<Status extends string = string> {
  id: string;
  status: Status;
  changedBy: (typeof statusActorKinds)[number];
  userId?: string | undefined;
  timestamp: number;
}
