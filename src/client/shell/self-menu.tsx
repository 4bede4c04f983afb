import { BellRing, CircleUser } from 'lucide'
import type { App } from '#client/app.ts'
import { keyHint } from '#client/commands/key-bindings.ts'
import { pauseEnd, pauseNotifications } from '#client/notices/pause.ts'
import { appCommands } from '#client/search/app-commands.ts'
import { Menu } from '#client/ui/menu.tsx'
import { t } from '#client/ui/t.ts'
import { openUserCard } from '#client/views/open-user-card.ts'

interface SelfMenuProps {
  readonly app: App
  readonly anchor: Element
  readonly onClose: () => void
}

/** The menu of the user's own account: status, theme, settings, log out. */
export function SelfMenu({ app, anchor, onClose }: SelfMenuProps) {
  const scheme = app.store.settings.value.color_scheme
  const paused = pauseEnd(app)
  const commands = appCommands(app)
  const item = (name: keyof typeof commands, more: { readonly checked?: boolean } = {}) => {
    const { names, icon, to, href = to && app.router.href(to), run } = commands[name]
    return {
      label: names[0] ?? '',
      icon,
      keyHint: keyHint(name),
      ...(href && { href }),
      ...(run && { onSelect: run }),
      ...more,
    }
  }
  return (
    <Menu
      label={t('Your menu')}
      anchor={anchor}
      placement="bottom-end"
      onClose={onClose}
      items={[
        item('set-status'),
        paused
          ? {
              label: t('Resume notifications'),
              detail: t('Paused until {when}', { when: paused }),
              icon: BellRing,
              onSelect: () => void pauseNotifications(app, null),
            }
          : item('pause'),
        {
          label: t('Your profile'),
          icon: CircleUser,
          onSelect: () => openUserCard(app, app.store.selfId, anchor),
        },
        { kind: 'separator' },
        item('system', { checked: scheme === 1 }),
        item('light', { checked: scheme === 3 }),
        item('dark', { checked: scheme === 2 }),
        { kind: 'separator' },
        item('groups'),
        item('settings'),
        item('organization'),
        item('invite'),
        item('connect'),
        item('show-keys'),
        { kind: 'separator' },
        item('log-out'),
      ]}
    />
  )
}
