import type { Choice } from '#client/commands/form-fields.tsx'
import type { Channel } from '#client/state/model.ts'
import type { Store } from '#client/state/store.ts'
import { t } from '#client/ui/t.ts'
import { type Text, texts } from '#translations/translate.ts'

const topicsPolicyLabels: Readonly<Record<Channel['topicsPolicy'], Text>> = texts({
  inherit: 'Organization default',
  allow_empty_topic: 'Allowed',
  disable_empty_topic: 'Not allowed',
  empty_topic_only: 'Required: no topics in this channel',
})

/** The rules about topics that a channel can have. */
export function topicsPolicies(): readonly Choice<Channel['topicsPolicy']>[] {
  return (Object.keys(topicsPolicyLabels) as Channel['topicsPolicy'][]).map((value) => ({
    value,
    label: t(topicsPolicyLabels[value]),
  }))
}

/** The folders for a channel in the organization's order; -1: none. @param current may be archived */
export function folderChoices(
  { folders }: Pick<Store, 'folders'>,
  current: number | null,
): readonly Choice<number>[] {
  const offered = [...folders.all.values()]
    .filter(({ id, is_archived }) => !is_archived || id === current)
    .sort((a, b) => a.order - b.order)
  return [
    { value: -1, label: t('None') },
    ...offered.map(({ id, name }) => ({ value: id, label: name })),
  ]
}
