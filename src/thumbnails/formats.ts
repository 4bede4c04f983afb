/** A form in which uploaded pictures can be fetched. */
export interface ThumbnailFormat {
  /** The last part of the address. */
  readonly name: string
  /** In pixels: a thumbnail is no larger than that, and no larger than the picture. */
  readonly maxWidth: number
  readonly maxHeight: number
  /** Whether an animation moves; of other pictures it is the same as the still form. */
  readonly animated: boolean
}

/**
 * Every form that is made of each picture. Messages show the first; clients choose others by their
 * name.
 *
 * @source the API description of `server_thumbnail_formats` (level 273); clients.md §4
 */
export const thumbnailFormats: readonly ThumbnailFormat[] = [
  { name: '840x560.webp', maxWidth: 840, maxHeight: 560, animated: false },
  { name: '840x560-anim.webp', maxWidth: 840, maxHeight: 560, animated: true },
  { name: '300x200.webp', maxWidth: 300, maxHeight: 200, animated: false },
]

/** The formats on the wire. */
export function thumbnailFormatsJson() {
  return thumbnailFormats.map(({ name, maxWidth, maxHeight, animated }) => ({
    name,
    max_width: maxWidth,
    max_height: maxHeight,
    format: 'webp',
    animated,
  }))
}
