import { useApp } from '#client/app-context.ts'
import { attempt } from '#client/commands/attempt.ts'
import { UserSettingGroups } from '#client/settings/setting.tsx'
import { type Column, DataTable } from '#client/settings/ui/data-table.tsx'
import { conversationKey, type TopicPolicy, type VisibilityPolicy } from '#client/state/model.ts'
import { byName, channelName, topicName } from '#client/state/names.ts'
import { dayText } from '#client/ui/dates.ts'
import { t } from '#client/ui/t.ts'
import { type Text, text } from '#translations/translate.ts'

const policies: readonly (readonly [VisibilityPolicy, Text])[] = [
  [3, text('Followed')],
  [2, text('Unmuted')],
  [1, text('Muted')],
  [0, text('Same as the channel')],
]

/** Topics that the user follows, muted or unmuted, and the settings for doing so automatically. */
export function Topics() {
  const app = useApp()
  const { store, router } = app
  const name = ({ topic }: TopicPolicy) => topicName(topic, store)
  const channel = ({ channelId }: TopicPolicy) => channelName(channelId, store)
  const columns: readonly Column<TopicPolicy>[] = [
    {
      id: 'channel',
      title: t('Channel'),
      compare: (a, b) => byName(channel(a), channel(b)) || byName(name(a), name(b)),
      cell: (row) => `#${channel(row)}`,
    },
    {
      id: 'topic',
      title: t('Topic'),
      grows: true,
      compare: (a, b) => byName(name(a), name(b)),
      cell: (row) => {
        const { channelId, topic } = row
        const narrow = { kind: 'topic', channelId, topic } as const
        return <a href={router.href({ kind: 'messages', narrow })}>{name(row)}</a>
      },
    },
    {
      id: 'policy',
      title: t('Policy'),
      compare: (a, b) => b.policy - a.policy,
      cell: (row) => (
        <select
          class="input select"
          aria-label={t('Policy of {topic}', { topic: name(row) })}
          value={String(row.policy)}
          onChange={({ currentTarget }) => {
            const policy = Number(currentTarget.value) as VisibilityPolicy
            void attempt(app, app.changes.setTopicPolicy(row.channelId, row.topic, policy))
          }}
        >
          {policies.map(([policy, label]) => (
            <option key={policy} value={String(policy)}>
              {t(label)}
            </option>
          ))}
        </select>
      ),
    },
    {
      id: 'changed',
      title: t('Changed'),
      isWide: true,
      compare: (a, b) => a.changedAt - b.changedAt,
      cell: ({ changedAt }) => (changedAt > 0 ? dayText(changedAt) : t('Today')),
    },
  ]
  return (
    <>
      <UserSettingGroups section="topics" />
      <DataTable
        label={t('Topics')}
        rows={[...store.topicPolicies.all.values()]}
        columns={columns}
        keyOf={({ channelId, topic }) => conversationKey({ kind: 'topic', channelId, topic })}
        words={(row) => [name(row), channel(row)]}
        sortedBy="changed"
        isDescending
        empty={t(
          "You have not followed, muted or unmuted any topics. You can do so in a topic's menu.",
        )}
      />
    </>
  )
}
