/** Shapes that several domains share: media and status histories. */

/** The same image in another width. */
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
  /** The uploaded file that it names; everything but `id` and `alt` is told from that. */
  mediaId?: string | undefined;
  alt?: string | undefined;
  width?: number | undefined;
  height?: number | undefined;
  resolutions?: MediaResolution[] | undefined;
}

export const statusChangers = ['USER', 'SYSTEM'] as const;

export interface StatusEntry<Status extends string = string> {
  id: string;
  status: Status;
  changedBy: (typeof statusChangers)[number];
  userId?: string | undefined;
  timestamp: number;
}
