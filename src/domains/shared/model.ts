/** Shapes that several domains share: media and status histories. */

export interface Media {
  id: string;
  url: string;
  mimeType: string;
}

export const changers = ['USER', 'SYSTEM'] as const;

export interface StatusEntry<Status extends string = string> {
  id: string;
  status: Status;
  changedBy: (typeof changers)[number];
  userId?: string | undefined;
  timestamp: number;
}
