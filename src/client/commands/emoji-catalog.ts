import type { App } from '#client/app.ts'
import { type EmojiData, type NamedEmoji, unicodeEmoji } from '#client/ui/emoji-search.ts'

let loading: Promise<readonly NamedEmoji[]> | undefined

async function fetchUnicode(url: string): Promise<readonly NamedEmoji[]> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`The server answered ${response.status}.`)
  return unicodeEmoji((await response.json()) as EmojiData)
}

/** Every emoji that can be used: the organization's own, then those of Unicode, fetched once. */
export async function allEmoji(app: App): Promise<readonly NamedEmoji[]> {
  loading ??= fetchUnicode(app.store.realm.peek().server_emoji_data_url)
  let unicode: readonly NamedEmoji[]
  try {
    unicode = await loading
  } catch (error) {
    loading = undefined
    throw error
  }
  const custom = [...app.store.customEmoji.current.values()].map((emoji) => ({
    ...emoji,
    names: [emoji.name],
  }))
  const taken = new Set(custom.map(({ name }) => name))
  return [...custom, ...unicode.filter(({ name }) => !taken.has(name))]
}
