import { useSignal } from '@preact/signals'
import { ChevronDown, ChevronRight, EllipsisVertical, Plus } from 'lucide'
import { openDirectMenu } from '#client/actions/direct-menu.ts'
import { useApp } from '#client/app-context.ts'
import { type SidebarDirect, sidebarDirects } from '#client/lists/sidebar.ts'
import { StatusEmoji } from '#client/messages/reactions.tsx'
import { conversationKey } from '#client/state/model.ts'
import { IconButton } from '#client/ui/button.tsx'
import { Icon, pointing } from '#client/ui/icon.tsx'
import { t, tn } from '#client/ui/t.ts'
import { Count } from './count.tsx'
import { DirectFace } from './direct-face.tsx'
import { fold, folded } from './folds.ts'

const onIcon = pointing(ChevronRight)

/** The user's direct conversations in the side bar: unread ones first, then the newest. */
export function DirectList({ filter }: { readonly filter: string }) {
  const app = useApp()
  const { store, router, compose } = app
  const showsAll = useSignal(false)
  const isOpen = filter !== '' || folded.value.direct !== true
  const view = router.view.value
  const current =
    view.kind === 'messages' && view.narrow.kind === 'direct' ? view.narrow : undefined
  const { directs, more } = sidebarDirects(store, { filter, showsAll: showsAll.value, current })
  const open = current && conversationKey(current)
  const { direct } = store.unreads.counts.value
  return (
    <div class="side-section">
      <div class="side-head">
        <button
          type="button"
          class="row tight side-fold side-fold-head"
          aria-expanded={isOpen}
          onClick={() => fold('direct', isOpen)}
        >
          <Icon node={isOpen ? ChevronDown : onIcon} size={14} />
          <h2>{t('Direct messages')}</h2>
          {!isOpen && <Count count={direct} isPersonal />}
        </button>
        <IconButton
          label={t('New direct message')}
          icon={Plus}
          size={16}
          onClick={() => compose.open({ kind: 'direct', userIds: [] }, { focus: true })}
        />
      </div>
      {isOpen && (
        <ul>
          {directs.map((row) => (
            <DirectLink key={row.key} row={row} isCurrent={row.key === open} />
          ))}
          {more > 0 && (
            <li class="side-row">
              <button
                type="button"
                class="row side-link side-all-topics"
                onClick={() => {
                  showsAll.value = true
                }}
              >
                {tn(more, 'one more conversation', '{count} more conversations')}
              </button>
            </li>
          )}
        </ul>
      )}
    </div>
  )
}

function DirectLink({
  row,
  isCurrent,
}: {
  readonly row: SidebarDirect
  readonly isCurrent: boolean
}) {
  const app = useApp()
  const { conversation, name, count, hasMention } = row
  const [only] = conversation.userIds
  const isGroup = conversation.userIds.length > 1 || only === undefined
  return (
    <li class="side-row">
      <a
        class="row side-link"
        href={app.router.href({ kind: 'messages', narrow: conversation })}
        aria-current={isCurrent ? 'page' : undefined}
        onContextMenu={(event) => {
          event.preventDefault()
          openDirectMenu(app, conversation.userIds, event.currentTarget)
        }}
      >
        <DirectFace userIds={conversation.userIds} size={22} />
        <span
          class={count > 0 ? 'side-name side-unread ellipsis' : 'side-name ellipsis'}
          dir="auto"
          title={name}
        >
          {only === app.store.selfId && !isGroup ? t('{name} (you)', { name }) : name}
        </span>
        {!isGroup && <StatusEmoji userId={only} />}
        <Count count={count} hasMention={hasMention && isGroup} isPersonal />
      </a>
      <IconButton
        class="side-more"
        label={t('Menu of {name}', { name })}
        icon={EllipsisVertical}
        size={15}
        aria-haspopup="menu"
        onClick={(event) => openDirectMenu(app, conversation.userIds, event.currentTarget)}
      />
    </li>
  )
}
