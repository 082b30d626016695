/** Measures images and makes smaller ones of them. */

export interface ImageMeasurements {
  /** The format that the file really has, such as `jpeg`. */
  format: string;
  /** As people see it, turned the right way up. */
  width: number;
  height: number;
  isAnimated: boolean;
}

export interface Images {
  /** Reads no more than the head of a file. Undefined: it is no image, or has more pixels than anybody needs. */
  measure(path: string): Promise<ImageMeasurements | undefined>;
  /** The image in another width, as WebP, without what cameras write into files. Undefined: it cannot be decoded. */
  resize(image: Buffer, width: number): Promise<Buffer | undefined>;
}
