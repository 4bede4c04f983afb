import {
  BellOff,
  BellRing,
  Building2,
  CircleUser,
  Keyboard,
  LogOut,
  Monitor,
  Moon,
  Settings,
  Smartphone,
  Smile,
  Sun,
  UserPlus,
  Users,
} from 'lucide'
import { openStatusDialog } from '#client/actions/status.ts'
import type { App } from '#client/app.ts'
import { attempt } from '#client/commands/attempt.ts'
import { keyHint } from '#client/commands/key-bindings.ts'
import { openPauseDialog, pauseEnd, pauseNotifications } from '#client/notices/pause.ts'
import { pointing } from '#client/ui/icon.tsx'
import { Menu } from '#client/ui/menu.tsx'
import { t } from '#client/ui/t.ts'
import { openUserCard } from '#client/views/open-user-card.ts'

const leaveIcon = pointing(LogOut)

interface SelfMenuProps {
  readonly app: App
  readonly anchor: Element
  readonly onClose: () => void
}

/** The menu of the user's own account: status, theme, settings, log out. */
export function SelfMenu({ app, anchor, onClose }: SelfMenuProps) {
  const scheme = app.store.settings.value.color_scheme
  const setScheme = (color_scheme: 1 | 2 | 3) => () =>
    void attempt(app, app.api.patch('/settings', { color_scheme }))
  const paused = pauseEnd(app)
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
          keyHint: keyHint('set-status'),
          onSelect: () => openStatusDialog(app),
        },
        paused
          ? {
              label: t('Resume notifications'),
              detail: t('Paused until {when}', { when: paused }),
              icon: BellRing,
              onSelect: () => void pauseNotifications(app, null),
            }
          : {
              label: t('Pause notifications'),
              icon: BellOff,
              onSelect: () => openPauseDialog(app),
            },
        {
          label: t('Your profile'),
          icon: CircleUser,
          onSelect: () => openUserCard(app, app.store.selfId, anchor),
        },
        { kind: 'separator' },
        { kind: 'heading', label: t('Theme') },
        {
          label: t('System theme'),
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
          keyHint: keyHint('show-keys'),
          href: app.router.href({ kind: 'keyboard-shortcuts' }),
        },
        { kind: 'separator' },
        { label: t('Log out'), icon: leaveIcon, onSelect: () => void attempt(app, app.logOut()) },
      ]}
    />
  )
}
