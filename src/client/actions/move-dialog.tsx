import { useState } from 'preact/hooks'
import { CallError } from '#client/api/api.ts'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { openConfirm } from '#client/commands/confirm-dialog.tsx'
import { FormDialog } from '#client/commands/form-dialog.tsx'
import { FormCheck, FormChoice } from '#client/commands/form-fields.tsx'
import { canMoveOut, canMoveTopics, isModerator, topicRules } from '#client/commands/permissions.ts'
import { ChannelField } from '#client/compose/target-fields.tsx'
import { TopicField } from '#client/compose/topic-field.tsx'
import type { Channel, Message } from '#client/state/model.ts'
import type { Store } from '#client/state/store.ts'
import { t, tn } from '#client/ui/t.ts'

type Mode = 'change_one' | 'change_later' | 'change_all'

interface MoveDialogProps {
  readonly app: App
  /** Any message of the topic. */
  readonly message: Pick<Message, 'id' | 'conversation'>
  /** Moves the complete topic, without asking how much of it. */
  readonly isWhole?: boolean
  readonly onClose: () => void
}

/** Moves a message, or more of its topic, to another topic or channel. */
export function MoveDialog({ app, message, isWhole = false, onClose }: MoveDialogProps) {
  const { store } = app
  const from = message.conversation
  const isTopic = from.kind === 'topic'
  const [channelId, setChannelId] = useState<number | undefined>(
    isTopic ? from.channelId : undefined,
  )
  const [topic, setTopic] = useState(isTopic ? from.topic : '')
  const [mode, setMode] = useState<Mode>(isWhole ? 'change_all' : 'change_later')
  const [tellsOld, setTellsOld] = useState(false)
  const [tellsNew, setTellsNew] = useState(true)
  const channel = isTopic ? store.channels.get(from.channelId) : undefined
  if (!isTopic || !channel) return null

  const target = channelId === undefined ? undefined : store.channels.get(channelId)
  const isSame = channelId === from.channelId && topic.trim() === from.topic
  const needsTopic = target !== undefined && topic.trim() === '' && !topicRules(store, target).empty

  async function move(messageId: number, chosen: Mode): Promise<void> {
    await app.api.patch(`/messages/${messageId}`, {
      ...(topic.trim() !== (from.kind === 'topic' && from.topic) && { topic: topic.trim() }),
      ...(channelId !== channel?.id && { stream_id: channelId }),
      propagate_mode: chosen,
      send_notification_to_old_thread: tellsOld,
      send_notification_to_new_thread: tellsNew,
    })
    app.notify(t('Moved.'))
    onClose()
  }

  return (
    <FormDialog
      title={isWhole ? t('Move topic') : t('Move messages')}
      action={t('Move')}
      isInvalid={!target || isSame || needsTopic}
      isOpenAfterwards
      onSave={async () => {
        try {
          await move(message.id, mode)
        } catch (error) {
          const isOffered = offerPart(store, error, (first) => move(first, 'change_later'))
          if (!isOffered) throw error
        }
      }}
      onClose={onClose}
    >
      <TargetFields
        from={channel}
        channelId={channelId}
        topic={topic}
        onChannel={setChannelId}
        onTopic={setTopic}
      />
      {!isWhole && (
        <FormChoice
          label={t('Messages to move')}
          value={mode}
          choices={modeChoices()}
          onChange={setMode}
        />
      )}
      <FormCheck label={t('Notify the new topic')} isChecked={tellsNew} onChange={setTellsNew} />
      <FormCheck label={t('Notify the old topic')} isChecked={tellsOld} onChange={setTellsOld} />
    </FormDialog>
  )
}

/** Some messages are too old to be moved: asks whether to move the others. */
function offerPart(store: Store, error: unknown, move: (first: number) => Promise<void>): boolean {
  if (!(error instanceof CallError)) return false
  if (error.code !== 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED') return false
  const { details } = error
  const first = details.first_message_id_allowed_to_move
  const count = Number(details.total_messages_allowed_to_move)
  if (typeof first !== 'number' || isModerator(store)) return false
  openConfirm({
    title: t('Move messages'),
    text: tn(
      count,
      'Only the newest message can still be moved. Move it?',
      'Only the newest {count} messages can still be moved. Move these?',
    ),
    action: t('Move'),
    run: () => move(first),
  })
  return true
}

const modeChoices = (): readonly { readonly value: Mode; readonly label: string }[] => [
  { value: 'change_one', label: t('Only this message') },
  { value: 'change_later', label: t('This and the following messages in the topic') },
  { value: 'change_all', label: t('All messages in the topic') },
]

interface TargetFieldsProps {
  /** The channel of the messages. */
  readonly from: Channel
  readonly channelId: number | undefined
  readonly topic: string
  readonly onChannel: (channelId: number | undefined) => void
  readonly onTopic: (topic: string) => void
}

function TargetFields({ from, channelId, topic, onChannel, onTopic }: TargetFieldsProps) {
  const { store } = useApp()
  return (
    <>
      <div class="field">
        <span class="field-label" aria-hidden="true">
          {t('To channel')}
        </span>
        <ChannelField
          label={t('To channel')}
          channelId={channelId}
          alsoOffers={from}
          isDisabled={!canMoveOut(store, from)}
          onChange={onChannel}
        />
      </div>
      <div class="field">
        <span class="field-label" aria-hidden="true">
          {t('To topic')}
        </span>
        <TopicField
          label={t('To topic')}
          channelId={channelId}
          topic={topic}
          isFirst
          isDisabled={channelId === from.id && !canMoveTopics(store, from)}
          onChange={onTopic}
        />
      </div>
    </>
  )
}
