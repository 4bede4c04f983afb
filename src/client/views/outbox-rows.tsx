import { LoaderCircle, Pencil, RotateCcw, Trash2, TriangleAlert } from 'lucide'
import { useLayoutEffect } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import type { Outgoing } from '#client/compose/outbox.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { IconButton } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'

interface OutboxRowsProps {
  readonly outgoing: readonly Outgoing[]
  /** Called after rows came or went. */
  readonly onDrawn: () => void
}

/** The user's messages that the server does not have yet, as plain text. */
export function OutboxRows({ outgoing, onDrawn }: OutboxRowsProps) {
  useLayoutEffect(onDrawn)
  return (
    <ul class="outbox" aria-label={t('Sending messages')}>
      {outgoing.map((each) => (
        <OutboxRow key={each.localId} outgoing={each} />
      ))}
    </ul>
  )
}

function OutboxRow({ outgoing }: { readonly outgoing: Outgoing }) {
  const app = useApp()
  const { localId, content, state, problem, conversation } = outgoing
  const self = app.store.users.get(app.store.selfId)
  return (
    <li class={`message message-first message-${state}`} data-local-id={localId}>
      <div class="message-gutter">{self && <Avatar user={self} />}</div>
      <div class="message-main">
        <div class="message-head">
          <span class="message-sender">{self?.name}</span>
          {state === 'waiting' && (
            <Icon node={LoaderCircle} size={14} class="spin" label={t('Sending')} />
          )}
        </div>
        <div class="rendered rendered-plain" dir="auto">
          {content}
        </div>
        {(state === 'failed' || state === 'slow') && (
          <p class="row cluster tight outbox-problem" role="alert">
            <Icon node={TriangleAlert} size={15} />
            <span>{problem ?? t('This is taking longer than usual.')}</span>
            <IconButton
              label={t('Try again')}
              icon={RotateCcw}
              size={15}
              onClick={() => app.outbox.retry(localId)}
            />
            {state === 'failed' && (
              <>
                <IconButton
                  label={t('Edit')}
                  icon={Pencil}
                  size={15}
                  onClick={() => {
                    const taken = app.outbox.take(localId)
                    if (taken) app.compose.open(conversation, { text: taken.content, focus: true })
                  }}
                />
                <IconButton
                  label={t('Discard')}
                  icon={Trash2}
                  size={15}
                  onClick={() => app.outbox.take(localId)}
                />
              </>
            )}
          </p>
        )}
      </div>
    </li>
  )
}
