import { type Signal, useSignal } from '@preact/signals'
import { Hash, Inbox, MessagesSquare, Search } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { askSearch } from '#client/commands/ask-search.ts'
import type { View } from '#client/narrow/narrow.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Icon, type IconNode } from '#client/ui/icon.tsx'
import { phoneQuery } from '#client/ui/phone.ts'
import { t } from '#client/ui/t.ts'
import type { PaneName } from '#client/views/view-head.tsx'
import { openSelfMenu } from './open-self-menu.ts'

interface BottomBarProps {
  readonly view: View
  readonly pane: Signal<PaneName>
}

/** The navigation on a phone. Conversations hide it: Back leads out of them. */
export function BottomBar({ view, pane }: BottomBarProps) {
  const app = useApp()
  const isPhone = useIsPhone()
  const isShown = isPhone.value && (pane.value !== 'main' || !isConversation(view))
  if (!isShown) return null
  const { href } = app.router
  const { total, direct } = app.store.unreads.counts.value
  const self = app.store.users.get(app.store.selfId)
  const shown = pane.value === 'main' ? placeOf(view) : pane.value
  return (
    <nav class="bottom-bar" aria-label={t('Main places')}>
      <BottomBarItem
        name={t('Inbox')}
        icon={Inbox}
        href={href({ kind: 'inbox' })}
        isHere={shown === 'inbox'}
        count={total}
      />
      <BottomBarItem
        name={t('Channels')}
        icon={Hash}
        isHere={shown === 'left'}
        onClick={() => {
          pane.value = pane.peek() === 'left' ? 'main' : 'left'
        }}
      />
      <BottomBarItem
        name={t('Direct')}
        icon={MessagesSquare}
        href={href({ kind: 'direct' })}
        isHere={shown === 'direct'}
        count={direct}
      />
      <BottomBarItem name={t('Search')} icon={Search} onClick={() => askSearch('')} />
      <BottomBarItem
        name={t('You')}
        picture={self && <Avatar user={self} size={24} />}
        onClick={(anchor) => openSelfMenu(app, anchor)}
      />
    </nav>
  )
}

/** Whether there is room for one pane only. */
function useIsPhone(): Signal<boolean> {
  const query = useMemo(() => matchMedia(phoneQuery), [])
  const isPhone = useSignal(query.matches)
  useEffect(() => {
    const onChange = () => {
      isPhone.value = query.matches
    }
    query.addEventListener('change', onChange)
    return () => query.removeEventListener('change', onChange)
  }, [query, isPhone])
  return isPhone
}

function isConversation(view: View): boolean {
  return view.kind === 'messages' && (view.narrow.kind === 'topic' || view.narrow.kind === 'direct')
}

function placeOf(view: View): string {
  if (view.kind !== 'messages') return view.kind
  return view.narrow.kind === 'all-direct' ? 'direct' : view.narrow.kind
}

interface BottomBarItemProps {
  readonly name: string
  readonly icon?: IconNode
  readonly picture?: ComponentChildren
  readonly href?: string
  readonly isHere?: boolean
  readonly count?: number
  readonly onClick?: (button: Element) => void
}

function BottomBarItem({
  name,
  icon,
  picture,
  href,
  isHere = false,
  count = 0,
  onClick,
}: BottomBarItemProps) {
  const content = (
    <>
      <span class="bottom-icon">
        {icon ? <Icon node={icon} size={22} /> : picture}
        {count > 0 && <span class="bottom-count">{count > 99 ? '99+' : count}</span>}
      </span>
      <span class="ellipsis bottom-name">{name}</span>
    </>
  )
  const current = isHere ? 'page' : undefined
  if (href !== undefined) {
    return (
      <a class="grow bottom-place" href={href} aria-current={current}>
        {content}
      </a>
    )
  }
  return (
    <button
      type="button"
      class="grow bottom-place"
      aria-current={current}
      aria-haspopup={picture ? 'menu' : undefined}
      onClick={({ currentTarget }) => onClick?.(currentTarget)}
    >
      {content}
    </button>
  )
}
