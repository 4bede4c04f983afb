import { useEffect, useRef } from 'preact/hooks'
import type { EditSnapshot } from '#client/api/wire.ts'
import type { App } from '#client/app.ts'
import { useFetched } from '#client/commands/use-fetched.ts'
import { insertHtml } from '#client/messages/message-html.ts'
import { topicName } from '#client/state/names.ts'
import { momentText } from '#client/ui/dates.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { t } from '#client/ui/t.ts'
import type { MessageDialogProps } from './message-dialog-props.ts'

/** The earlier versions of a message, newest first. */
export function HistoryDialog({ app, message, onClose }: MessageDialogProps) {
  const { value, problem } = useFetched(undefined, () =>
    app.api.get<{ message_history: EditSnapshot[] }>(`/messages/${message.id}/history`, {
      allow_empty_topic_name: true,
    }),
  )
  const history = value?.message_history.toReversed()
  return (
    <Dialog title={t('Edit history')} onClose={onClose}>
      {problem && <p class="field-problem">{problem}</p>}
      <ol class="stack history" aria-busy={history === undefined && !problem}>
        {history?.map((snapshot, index) => (
          <li key={index} class="stack tight">
            <Snapshot app={app} snapshot={snapshot} />
          </li>
        ))}
      </ol>
    </Dialog>
  )
}

function Snapshot({ app, snapshot }: { readonly app: App; readonly snapshot: EditSnapshot }) {
  const element = useRef<HTMLDivElement>(null)
  const { store } = app
  const html = snapshot.content_html_diff ?? snapshot.rendered_content
  useEffect(() => {
    if (element.current) insertHtml(element.current, html, app)
  }, [app, html])
  const name = snapshot.user_id === null ? '' : (store.users.get(snapshot.user_id)?.name ?? '')
  const when = momentText(snapshot.timestamp, store.settings.value)
  const channelName = (id: number) => store.channels.get(id)?.name ?? t('unknown channel')
  const isFirst =
    snapshot.prev_content === undefined &&
    snapshot.prev_topic === undefined &&
    snapshot.prev_stream === undefined
  return (
    <>
      <p class="history-head">
        {isFirst
          ? t('Sent by {name}, {when}', { name, when })
          : t('Changed by {name}, {when}', { name, when })}
      </p>
      {snapshot.prev_topic !== undefined && (
        <p>
          {t('Topic')}: <del>{topicName(snapshot.prev_topic, store)}</del>{' '}
          <ins>{topicName(snapshot.topic, store)}</ins>
        </p>
      )}
      {snapshot.prev_stream !== undefined && (
        <p>
          {t('Channel')}: <del>{channelName(snapshot.prev_stream)}</del>{' '}
          <ins>{snapshot.stream === undefined ? '' : channelName(snapshot.stream)}</ins>
        </p>
      )}
      {(isFirst || snapshot.prev_content !== undefined) && (
        <div ref={element} class="rendered message-content" dir="auto" />
      )}
    </>
  )
}
