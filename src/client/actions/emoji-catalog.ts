import type { App } from '#client/app.ts'
import type { Emoji } from '#client/state/model.ts'
import { glyphOf } from '#client/views/message-html.ts'

/** An emoji with all names by which it can be found; the first is the one that is sent. */
export interface NamedEmoji extends Emoji {
  readonly names: readonly string[]
}

let loading: Promise<readonly NamedEmoji[]> | undefined

/** The Unicode emoji in the order of pickers; fetched once. */
async function unicodeEmoji(app: App): Promise<readonly NamedEmoji[]> {
  loading ??= fetchEmoji(app.store.realm.peek().server_emoji_data_url)
  try {
    return await loading
  } catch (error) {
    loading = undefined
    throw error
  }
}

async function fetchEmoji(url: string): Promise<readonly NamedEmoji[]> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`The server answered ${response.status}.`)
  const data = (await response.json()) as { code_to_names: Record<string, string[]> }
  return Object.entries(data.code_to_names).flatMap(([code, names]) => {
    const [name] = names
    if (name === undefined) return []
    return [{ name, names, code, type: 'unicode_emoji' as const, text: glyphOf(code) }]
  })
}

/** Every emoji that can be used: the organization's own first. */
export async function allEmoji(app: App): Promise<readonly NamedEmoji[]> {
  const unicode = await unicodeEmoji(app)
  const custom = [...app.store.customEmoji.current.values()].map((emoji) => ({
    ...emoji,
    names: [emoji.name],
  }))
  const taken = new Set(custom.map(({ name }) => name))
  return [...custom, ...unicode.filter(({ name }) => !taken.has(name))]
}
