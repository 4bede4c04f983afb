/** What is taken as a picture: more could fill the memory, however small the file is. */
export const pictureBounds = {
  /** Of one frame: what the cameras of phones take, and a little more. */
  pixels: 64_000_000,
  /** Of all frames of an animation together; one that has more is shown as its first frame. */
  animatedPixels: 128_000_000,
  frames: 1000,
  /** Of the file. */
  bytes: 64 * 1024 * 1024,
} as const
