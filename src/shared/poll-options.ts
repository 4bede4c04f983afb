/** What a person does to the options of a poll, as Zulip's clients write it into a submessage. */
export interface PollStep {
  readonly senderId: number
  /** `new_option`, `vote`, or what changes no option. */
  readonly type?: unknown
  /** The number by which the author of a new option knows it, and its text. */
  readonly idx?: unknown
  readonly option?: unknown
  /** The key of the option of a vote, and 1, or -1 to take it back. */
  readonly key?: unknown
  readonly vote?: unknown
}

/** An option of a poll, and who has voted for it, in order of their votes. */
export interface PollOption {
  /** `canned,<index>` for the first ones, else `<user id>,<index>`. */
  readonly key: string
  readonly text: string
  readonly voterIds: readonly number[]
}

/**
 * The options that steps make of those that a poll began with. The first option under a key stays,
 * and what two people add at the same time is one option, under both keys.
 */
export function pollOptions(first: readonly string[], steps: readonly PollStep[]): PollOption[] {
  const byKey = new Map<unknown, { key: string; text: string; voters: Set<number> }>()
  const byText = new Map<string, { key: string; text: string; voters: Set<number> }>()
  function add(key: string, text: string): void {
    if (byKey.has(key)) return
    const option = byText.get(text) ?? { key, text, voters: new Set() }
    byText.set(text, option)
    byKey.set(key, option)
  }
  for (const [index, text] of first.entries()) add(`canned,${index}`, text)
  for (const { senderId, type, idx, option, key, vote } of steps) {
    if (type === 'new_option') add(`${senderId},${idx}`, typeof option === 'string' ? option : '')
    if (type !== 'vote') continue
    const voters = byKey.get(key)?.voters
    if (vote === 1) voters?.add(senderId)
    else voters?.delete(senderId)
  }
  return [...byText.values()].map(({ key, text, voters }) => ({ key, text, voterIds: [...voters] }))
}
