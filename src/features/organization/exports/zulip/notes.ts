/** The losses of an export to Zulip, with the first example of each kind. */
export const losses = {
  address: 'have an address that Zulip rejects; they got a placeholder',
  hidden: 'hide their address from everyone; they got a placeholder',
  mention: 'mention someone whose name is not unique; Zulip may show them without the mention',
  nearLink:
    'link to another message by its ID, which Zulip changes; these links will lead elsewhere',
  rendered:
    'are rendered again by Zulip during the import, because they show images served by this server',
  widget: 'are polls and to-do lists, which Zulip 11 imports without their votes and tasks',
  domain: 'are domains for new people whose names are too long for Zulip',
  file: 'are files that are missing on this server',
  draft: 'are drafts, which Zulip does not import',
  reminder: 'are reminders, which Zulip does not import',
  pin: 'are pinned messages, which Zulip shows as any other',
  hiddenPreviews: 'have link previews that their author hid; Zulip may show them again',
  quietTimes: 'are quiet times of users, which Zulip does not have',
  statusEnd: 'are statuses that would end at a time; in Zulip they stay',
  scheduled: 'are scheduled messages to people who have no conversation yet',
  idle: 'have not logged in yet or were not seen for two months; Zulip takes what has no record as read by them',
  lean: 'are records of users who have read a message, left out as requested',
} as const
export type Loss = keyof typeof losses

const mostExamples = 5

export interface Notes {
  /** @param example an ID or an address, never a text */
  lost(what: Loss, example: string): void
  count(what: Loss, count: number): void
  /** Sentences for the operator. */
  lines(): string[]
}

export function createNotes(): Notes {
  const found = new Map<Loss, { count: number; examples: string[] }>()
  const entry = (what: Loss) => {
    const known = found.get(what) ?? { count: 0, examples: [] }
    found.set(what, known)
    return known
  }
  return {
    lost(what, example) {
      const known = entry(what)
      known.count += 1
      if (known.examples.length < mostExamples) known.examples.push(example)
    },
    count(what, count) {
      if (count > 0) entry(what).count += count
    },
    lines: () =>
      (Object.keys(losses) as Loss[]).flatMap((what) => {
        const known = found.get(what)
        if (!known) return []
        const such = known.examples.length > 0 ? ` (${known.examples.join(', ')})` : ''
        return [`${known.count} ${losses[what]}${such}.`]
      }),
  }
}
