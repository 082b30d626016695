/** Port for image processing: reads dimensions and creates smaller versions. */

export interface ImageMeasurements {
  /** Format detected from the content, such as `jpeg`. */
  format: string;
  /** Pixels, after applying the EXIF orientation. */
  width: number;
  height: number;
  isAnimated: boolean;
}

export interface ImageProcessor {
  /** Reads only the header of the file. Undefined: not an image, or too many pixels. */
  measure(path: string): Promise<ImageMeasurements | undefined>;
  /** Resizes to each of the widths in pixels, as WebP without metadata, in this order. Decodes the image once. Undefined: it cannot be decoded. */
  resize(image: Buffer, widths: readonly number[]): Promise<Buffer[] | undefined>;
}
