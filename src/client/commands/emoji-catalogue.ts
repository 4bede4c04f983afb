import type { App } from '#client/app.ts'
import type { Realm, Store } from '#client/state/store.ts'
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
  const custom = usableEmoji(app.store).map(
    ({ id, name, source_url }): NamedEmoji => ({
      name,
      names: [name],
      code: id,
      type: 'realm_emoji',
      url: source_url,
    }),
  )
  const taken = new Set(custom.map(({ name }) => name))
  return [...custom, ...unicode.filter(({ name }) => !taken.has(name))]
}

/** The organization's own emoji, without those that were removed. */
export function usableEmoji({ realm }: Store): readonly Realm['realm_emoji'][string][] {
  return Object.values(realm.value.realm_emoji).filter(({ deactivated }) => !deactivated)
}
