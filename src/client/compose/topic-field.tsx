import { useEffect } from 'preact/hooks'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { topicRules } from '#client/commands/permissions.ts'
import { learnTopics, topicsOf } from '#client/lists/topics.ts'
import { topicName } from '#client/state/names.ts'
import { rank } from '#client/ui/fuzzy.ts'
import { t } from '#client/ui/t.ts'
import { ComboField } from './combo-field.tsx'

interface TopicFieldProps {
  readonly label: string
  readonly channelId: number | undefined
  readonly topic: string
  readonly isDisabled?: boolean
  /** Whether a dialog begins with it. */
  readonly isFirst?: boolean
  readonly onChange: (topic: string) => void
  readonly onEnter?: () => void
}

/** Chooses a topic of a channel, or begins one. */
export function TopicField(props: TopicFieldProps) {
  const { label, channelId, topic, onChange } = props
  const app = useApp()
  const topics = useTopics(app, channelId)
  const channel = channelId === undefined ? undefined : app.store.channels.get(channelId)
  const rules = channel ? topicRules(app.store, channel) : { empty: true, named: true }
  return (
    <ComboField
      class="topic-field"
      label={label}
      text={topic}
      placeholder={rules.empty ? topicName('', app.store) : t('Topic')}
      maxLength={app.store.realm.value.max_topic_length}
      isDisabled={props.isDisabled || !rules.named}
      isFirst={props.isFirst}
      offer={() =>
        topic.trim() === ''
          ? topics.slice(0, 8).map(shown)
          : rank(topics, topic, { names: (name) => name, limit: 8, worst: 3 })
              .filter((name) => name !== topic)
              .map(shown)
      }
      onText={onChange}
      onPick={(item, isLeft) => {
        onChange(item.key)
        if (!isLeft) props.onEnter?.()
      }}
      {...(props.onEnter && { onEnter: props.onEnter })}
    />
  )
}

const shown = (name: string) => ({ key: name, label: name })

/** The topics of a channel, the newest first: those known until all are here. */
function useTopics(app: App, channelId: number | undefined): readonly string[] {
  useEffect(() => {
    // The field works without what it would offer.
    if (channelId !== undefined) learnTopics(app, channelId).catch(() => undefined)
  }, [app, channelId])
  if (channelId === undefined) return []
  return topicsOf(app.store, channelId)
    .map(({ conversation }) => conversation.topic)
    .filter((name) => name !== '')
}
