import { sharedCache } from './shared-cache.ts'

/*
 * What another app has shared lies in a cache of the browser, where the service worker has put it,
 * until the page takes it.
 */

export const sharedWords = '/share/words'
export const sharedFile = (at: number): string => `/share/files/${at}`

/** What was shared, besides the files themselves. */
export interface SharedWords {
  readonly title: string
  readonly text: string
  readonly url: string
  /** The names of the files, in order. */
  readonly names: readonly string[]
}

export interface Shared {
  /** What to write of it: each part once, a line each. */
  readonly text: string
  readonly files: readonly File[]
}

/** What waits to be taken; undefined: nothing does, or it is incomplete. */
export async function readShared(): Promise<Shared | undefined> {
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

/** The title says little where there is more, and apps often repeat the address in the text. */
export function textOf({ title, text, url }: SharedWords): string {
  const parts = [text.trim() || title.trim(), url.trim()]
  const [words = '', address = ''] = parts
  return [words, words.includes(address) ? '' : address].filter((part) => part !== '').join('\n')
}

/** Says that it is taken, or not wanted. */
export async function forgetShared(): Promise<void> {
  await caches.delete(sharedCache)
}
