import { Ban, FileUp } from 'lucide'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { type ComposeTarget, conversationOf } from '#client/state/compose-target.ts'
import { channelName, peopleNames, topicName } from '#client/state/names.ts'
import { classes } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'
import { areFilesDragged, dropProblem } from './dropped-files.ts'
import { cleaned, placeProblem } from './send.ts'

/** Lies over the messages while files are dragged: says where they go, or why they cannot. */
export function DropCover() {
  const app = useApp()
  if (!areFilesDragged.value) return null
  const problem = dropProblem(app)
  return (
    <div
      class={classes('center drop-cover', problem !== undefined && 'drop-refused')}
      role="status"
    >
      <p class="stack">
        <Icon node={problem === undefined ? FileUp : Ban} size={28} />
        <span dir="auto">{problem ?? wordsFor(app, app.compose.state.value.target)}</span>
      </p>
    </div>
  )
}

function wordsFor({ store }: App, target: ComposeTarget): string {
  const to = conversationOf(cleaned(target))
  if (!to || placeProblem(store, to)) return t('Drop to add to your message')
  if (to.kind === 'topic') {
    return t('Drop to add to #{channel} › {topic}', {
      channel: channelName(to.channelId, store),
      topic: topicName(to.topic, store),
    })
  }
  return t('Drop to add to your message to {people}', { people: peopleNames(to.userIds, store) })
}
