import { useApp } from '#client/app-context.ts'
import { ChannelIcon } from '#client/messages/channel-icon.tsx'
import type { ComposeTarget } from '#client/state/compose-target.ts'
import { channelName, peopleNames, topicName } from '#client/state/names.ts'
import { t } from '#client/ui/t.ts'

/** Where a message is meant to go, in words. */
export function TargetName({ target }: { readonly target: ComposeTarget }) {
  const app = useApp()
  if (target.kind === 'direct') {
    return (
      <span class="row cluster tight target">
        {target.userIds.length === 0
          ? t('Direct message')
          : t('To {people}', { people: peopleNames(target.userIds, app.store) })}
      </span>
    )
  }
  const { channelId, topic } = target
  if (channelId === undefined)
    return <span class="row cluster tight target">{topic || t('No channel yet')}</span>
  return (
    <span class="row cluster tight target">
      <ChannelIcon channelId={channelId} size={14} />
      {channelName(channelId, app.store)}
      <span aria-hidden="true">›</span>
      <span class={topic === '' ? 'topic-empty' : undefined}>{topicName(topic, app.store)}</span>
    </span>
  )
}
