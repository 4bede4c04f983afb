import { sharedCache } from './shared-cache.ts'

/**
 * Data that another app has shared. The service worker puts it into a cache of the browser, until
 * the page takes it.
 */

export const sharedWords = '/share/words'
export const sharedFile = (at: number): string => `/share/files/${at}`

/** The shared data, besides the files themselves. */
export interface SharedWords {
  readonly title: string
  readonly text: string
  readonly url: string
  /** The names of the files, in order. */
  readonly names: readonly string[]
}

export interface SharedContent {
  /** The text for a message: each part once, a line each. */
  readonly text: string
  readonly files: readonly File[]
}

/** The waiting shared data; undefined: there is none, or it is incomplete. */
export async function readShared(): Promise<SharedContent | undefined> {
  const cache = await caches.open(sharedCache)
  const words = (await (await cache.match(sharedWords))?.json()) as SharedWords | undefined
  if (!words) return undefined
  const files: File[] = []
  for (const [at, name] of words.names.entries()) {
    const blob = await (await cache.match(sharedFile(at)))?.blob()
    if (blob) files.push(new File([blob], name, { type: blob.type }))
  }
  return { text: textOf(words), files }
}

/** The title says little if there is more, and apps often repeat the address in the text. */
export function textOf({ title, text, url }: SharedWords): string {
  const parts = [text.trim() || title.trim(), url.trim()]
  const [words = '', address = ''] = parts
  return [words, words.includes(address) ? '' : address].filter((part) => part !== '').join('\n')
}

/** Removes the data: it was taken, or is not wanted. */
export async function forgetShared(): Promise<void> {
  await caches.delete(sharedCache)
}
