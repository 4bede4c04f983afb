/** Limits for pictures: even a small file could otherwise decode to more than the memory holds. */
export const pictureBounds = {
  /** Per frame: a little more than phone cameras produce. */
  pixels: 64_000_000,
  /** For all frames of an animation together; if it has more, only the first frame is shown. */
  animatedPixels: 128_000_000,
  frames: 1000,
  /** The memory that decoding may take, in bytes: see `Header.heldBytes`. */
  heldBytes: 160 * 1024 * 1024,
  /** The size of the file. */
  bytes: 64 * 1024 * 1024,
} as const
