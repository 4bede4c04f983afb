/** A size and kind in which clients can fetch uploaded images. */
export interface ThumbnailFormat {
  /** The last part of the URL. */
  readonly name: string
  /** In pixels. Thumbnails are never larger than the image. */
  readonly maxWidth: number
  readonly maxHeight: number
  /** Whether animations stay animated. Other images use the thumbnail of the still format. */
  readonly animated: boolean
}

/**
 * The formats of every image's thumbnails. Messages show the first; clients choose others by name.
 *
 * @source Zulip API, "Register an event queue", "server_thumbnail_formats" (feature level 273)
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
