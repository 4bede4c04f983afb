import type { Signal } from '@preact/signals'
import {
  Building2,
  CircleUser,
  Keyboard,
  LogOut,
  Menu as MenuIcon,
  Monitor,
  Moon,
  Settings,
  Smartphone,
  Smile,
  Sun,
  UserPlus,
  Users,
} from 'lucide'
import { attempt } from '#client/actions/attempt.ts'
import { openSurface } from '#client/actions/surfaces.tsx'
import type { App } from '#client/app.ts'
import type { Realm } from '#client/state/store.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { classes, IconButton } from '#client/ui/button.tsx'
import { Menu } from '#client/ui/menu.tsx'
import { t } from '#client/ui/t.ts'
import { useApp } from './app-context.ts'
import { openUserCard } from './open-user-card.ts'
import { SearchBox } from './parts.ts'
import { PresenceDot } from './presence.tsx'
import type { PaneName } from './shell.tsx'
import { openStatusDialog } from './status.ts'

/** The bar above everything: the organization, the search, and oneself. */
export function TopBar({ pane }: { readonly pane: Signal<PaneName> }) {
  const app = useApp()
  const realm = app.store.realm.value
  const self = app.store.users.get(app.store.selfId)
  const { total } = app.store.unreads.counts.value
  const toggle = (name: PaneName) => () => {
    pane.value = pane.peek() === name ? 'main' : name
  }
  return (
    <header class="top">
      <div class="top-start">
        <span class="top-left-toggle">
          <IconButton
            label={t('Views and channels')}
            icon={MenuIcon}
            aria-expanded={pane.value === 'left'}
            onClick={toggle('left')}
          />
          {total > 0 && <span class="top-unread" aria-hidden="true" />}
        </span>
        <a class="top-realm" href={app.router.href({ kind: 'inbox' })}>
          <RealmMark realm={realm} isNight={false} />
          <RealmMark realm={realm} isNight />
        </a>
      </div>
      <div class="top-search">
        <SearchBox />
      </div>
      <div class="top-end">
        <span class="top-right-toggle">
          <IconButton
            label={t('People')}
            icon={Users}
            aria-expanded={pane.value === 'right'}
            onClick={toggle('right')}
          />
        </span>
        <button
          type="button"
          class="self-button"
          aria-haspopup="menu"
          aria-label={t('Your menu')}
          title={self?.name}
          onClick={(event) => openSelfMenu(app, event.currentTarget)}
        >
          {self && <Avatar user={self} size={28} />}
          <PresenceDot userId={app.store.selfId} />
        </button>
      </div>
    </header>
  )
}

interface RealmMarkProps {
  readonly realm: Realm
  readonly isNight: boolean
}

/** What stands for the organization in light or in dark themes: its wide logo, or icon and name. */
function RealmMark({ realm, isNight }: RealmMarkProps) {
  const isOwnNight = isNight && realm.realm_night_logo_source === 'U'
  const hasLogo = isOwnNight || realm.realm_logo_source === 'U'
  return (
    <span class={classes('top-mark', isNight ? 'only-dark' : 'only-light')}>
      {hasLogo ? (
        <img
          class="top-logo"
          src={isOwnNight ? realm.realm_night_logo_url : realm.realm_logo_url}
          alt={realm.realm_name}
        />
      ) : (
        <>
          <img class="top-icon" src={realm.realm_icon_url} alt="" width={24} height={24} />
          <span class="ellipsis">{realm.realm_name}</span>
        </>
      )}
    </span>
  )
}

function openSelfMenu(app: App, anchor: Element): void {
  openSurface((close) => <SelfMenu app={app} anchor={anchor} onClose={close} />)
}

interface SelfMenuProps {
  readonly app: App
  readonly anchor: Element
  readonly onClose: () => void
}

function SelfMenu({ app, anchor, onClose }: SelfMenuProps) {
  const scheme = app.store.settings.value.color_scheme
  const setScheme = (color_scheme: 1 | 2 | 3) => () =>
    void attempt(app, app.api.patch('/settings', { color_scheme }))
  const settings = (area: 'personal' | 'organization') =>
    app.router.href({ kind: 'settings', area, path: [] })
  return (
    <Menu
      label={t('Your menu')}
      anchor={anchor}
      placement="bottom-end"
      onClose={onClose}
      items={[
        {
          label: t('Set your status'),
          icon: Smile,
          keyHint: '⇧Y',
          onSelect: () => openStatusDialog(app),
        },
        {
          label: t('Your profile'),
          icon: CircleUser,
          onSelect: () => openUserCard(app, app.store.selfId, anchor),
        },
        { kind: 'separator' },
        { kind: 'heading', label: t('Theme') },
        {
          label: t('As the system'),
          icon: Monitor,
          checked: scheme === 1,
          onSelect: setScheme(1),
        },
        { label: t('Light'), icon: Sun, checked: scheme === 3, onSelect: setScheme(3) },
        { label: t('Dark'), icon: Moon, checked: scheme === 2, onSelect: setScheme(2) },
        { kind: 'separator' },
        {
          label: t('Groups'),
          icon: Users,
          href: app.router.href({ kind: 'groups', tab: 'your' }),
        },
        { label: t('Settings'), icon: Settings, href: settings('personal') },
        {
          label: t('Organization settings'),
          icon: Building2,
          href: settings('organization'),
        },
        {
          label: t('Invite people'),
          icon: UserPlus,
          href: app.router.href({ kind: 'invite' }),
        },
        { label: t('Connect apps'), icon: Smartphone, href: '/connect' },
        {
          label: t('Keyboard shortcuts'),
          icon: Keyboard,
          keyHint: '?',
          href: app.router.href({ kind: 'keyboard-shortcuts' }),
        },
        { kind: 'separator' },
        { label: t('Log out'), icon: LogOut, onSelect: () => void attempt(app, app.logOut()) },
      ]}
    />
  )
}
