import { useComputed, useSignal } from '@preact/signals'
import { ChevronDown, ChevronRight, Plus, Users } from 'lucide'
import { peopleNames } from '#client/lists/names.ts'
import { narrowKey } from '#client/narrow/terms.ts'
import type { Conversation } from '#client/state/model.ts'
import { conversationKey } from '#client/state/model.ts'
import { IconButton } from '#client/ui/button.tsx'
import { matcher } from '#client/ui/fuzzy.ts'
import { Icon } from '#client/ui/icon.tsx'
import { t, tn } from '#client/ui/t.ts'
import { useApp } from './app-context.ts'
import { Count } from './count.tsx'
import { fold, folded } from './folds.ts'
import { PresenceDot } from './presence.tsx'
import { EmojiGlyph } from './reactions.tsx'

/** How many conversations are shown without asking. */
const few = 6

interface DirectRow {
  readonly key: string
  readonly conversation: Conversation & { readonly kind: 'direct' }
  readonly name: string
  readonly count: number
  readonly hasMention: boolean
}

/** The user's direct conversations in the side bar: unread ones first, then the newest. */
export function DirectList({ filter }: { readonly filter: string }) {
  const app = useApp()
  const { store, router, compose } = app
  const showsAll = useSignal(false)
  const rows = useComputed(() => directRows(app))
  const isOpen = filter !== '' || folded.value.direct !== true
  const isWanted = matcher(filter)
  const found = rows.value.filter(({ name }) => isWanted(name))
  const view = router.view.value
  const open = view.kind === 'messages' ? narrowKey(view.narrow) : ''
  const first = found.filter(
    ({ conversation, count }, i) => i < few || count > 0 || narrowKey(conversation) === open,
  )
  const shown = showsAll.value || filter !== '' ? found : first
  const { direct } = store.unreads.counts.value
  return (
    <div class="side-section">
      <div class="side-head">
        <button
          type="button"
          class="side-fold side-fold-head"
          aria-expanded={isOpen}
          onClick={() => fold('direct', isOpen)}
        >
          <Icon node={isOpen ? ChevronDown : ChevronRight} size={14} />
          <h2>{t('Direct messages')}</h2>
          {!isOpen && <Count count={direct} />}
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
          {shown.map((row) => (
            <DirectLink key={row.key} row={row} isCurrent={narrowKey(row.conversation) === open} />
          ))}
          {found.length > shown.length && (
            <li class="side-row">
              <button
                type="button"
                class="side-link side-all-topics"
                onClick={() => {
                  showsAll.value = true
                }}
              >
                {tn(
                  found.length - shown.length,
                  'one more conversation',
                  '{count} more conversations',
                )}
              </button>
            </li>
          )}
        </ul>
      )}
    </div>
  )
}

function DirectLink({ row, isCurrent }: { readonly row: DirectRow; readonly isCurrent: boolean }) {
  const app = useApp()
  const { conversation, name, count, hasMention } = row
  const [only] = conversation.userIds
  const isGroup = conversation.userIds.length > 1 || only === undefined
  const status = isGroup ? undefined : app.store.statuses.get(only)
  return (
    <li class="side-row">
      <a
        class="side-link"
        href={app.router.href({ kind: 'messages', narrow: conversation })}
        aria-current={isCurrent ? 'page' : undefined}
      >
        {isGroup ? (
          <Icon node={Users} size={14} class="side-icon" />
        ) : (
          <PresenceDot userId={only} />
        )}
        <span class={count > 0 ? 'side-name side-unread ellipsis' : 'side-name ellipsis'}>
          {only === app.store.selfId && !isGroup ? t('{name} (you)', { name }) : name}
        </span>
        {status?.emojiCode && (
          <EmojiGlyph
            emoji={{ name: status.emojiName, code: status.emojiCode, type: status.reactionType }}
          />
        )}
        <Count count={count} hasMention={hasMention && isGroup} />
      </a>
    </li>
  )
}

function directRows({ store }: ReturnType<typeof useApp>): DirectRow[] {
  const unreads = new Map(
    store.unreads.conversations.value.map((each) => [conversationKey(each.conversation), each]),
  )
  const muted = store.mutedUsers.value
  const rows = store.recent.direct.value.flatMap(({ conversation }) => {
    if (conversation.kind !== 'direct') return []
    if (conversation.userIds.every((id) => muted.has(id))) return []
    const key = conversationKey(conversation)
    const unread = unreads.get(key)
    const name = peopleNames(conversation.userIds, store)
    const { count = 0, hasMention = false } = unread ?? {}
    return [{ key, conversation, name, count, hasMention }]
  })
  return [...rows.filter(({ count }) => count > 0), ...rows.filter(({ count }) => count === 0)]
}
