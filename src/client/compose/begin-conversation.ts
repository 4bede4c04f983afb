import type { App } from '#client/app.ts'
import type { View } from '#client/narrow/narrow.ts'
import { focusTargetField } from './focus.ts'

/** Opens the box for a new topic, in the channel of the view if it has one. */
export function beginConversation({ compose, router }: App): void {
  const channelId = channelOf(router.view.peek())
  compose.open({ kind: 'topic', channelId, topic: '' }, { focus: false })
  focusTargetField(channelId === undefined ? 'channel-field' : 'topic-field')
}

function channelOf(view: View): number | undefined {
  if (view.kind === 'topics') return view.channelId
  return view.kind === 'messages' && 'channelId' in view.narrow ? view.narrow.channelId : undefined
}
