import {
  AlarmClock,
  AtSign,
  BellOff,
  Building2,
  CalendarClock,
  Clock,
  Compass,
  Hash,
  Inbox,
  Keyboard,
  Layers,
  LogOut,
  MessageCircle,
  MessagesSquare,
  Monitor,
  Moon,
  NotebookPen,
  Settings,
  Smartphone,
  Smile,
  SquarePen,
  Star,
  Sun,
  UserPlus,
  Users,
} from 'lucide'
import { openStatusDialog } from '#client/actions/status.ts'
import type { App } from '#client/app.ts'
import { attempt } from '#client/commands/attempt.ts'
import { markAllRead } from '#client/commands/mark-read.ts'
import type { Overlay, View } from '#client/narrow/narrow.ts'
import { openPauseDialog } from '#client/notices/pause.ts'
import type { IconNode } from '#client/ui/icon.tsx'
import { pointing } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'

const leaveIcon = pointing(LogOut)

/** A command of the switcher, or a view without a conversation. */
export interface Command {
  readonly key: string
  /** Its name, and other words for it. */
  readonly names: readonly string[]
  readonly detail?: string
  readonly icon: IconNode
  readonly to?: View | Overlay
  /** A page of its own, which replaces the client's. */
  readonly href?: string
  readonly run?: () => void
}

/** The views without a conversation of their own. */
export function viewCommands(): readonly Command[] {
  const view = (key: string, name: string, icon: IconNode, to: View): Command => ({
    key: `view:${key}`,
    names: [name],
    icon,
    to,
  })
  return [
    view('inbox', t('Inbox'), Inbox, { kind: 'inbox' }),
    view('recent', t('Recent conversations'), Clock, { kind: 'recent' }),
    view('direct', t('Direct messages'), MessagesSquare, { kind: 'direct' }),
    view('feed', t('Combined feed'), Layers, { kind: 'messages', narrow: { kind: 'all' } }),
    view('mentions', t('Mentions'), AtSign, { kind: 'messages', narrow: { kind: 'mentions' } }),
    view('starred', t('Starred messages'), Star, {
      kind: 'messages',
      narrow: { kind: 'starred' },
    }),
    view('drafts', t('Drafts'), NotebookPen, { kind: 'drafts' }),
    view('scheduled', t('Scheduled messages'), CalendarClock, { kind: 'scheduled' }),
    view('reminders', t('Reminders'), AlarmClock, { kind: 'reminders' }),
  ]
}

/** Commands that work anywhere; the switcher and the menu of the user's own account have them. */
export function actionCommands(app: App): readonly Command[] {
  return Object.entries(appCommands(app)).map(([name, command]) => ({
    key: `do:${name}`,
    ...command,
  }))
}

/** {@link actionCommands} by name; those with a key have the name that the table of keys has. */
export function appCommands(app: App) {
  const { api, compose } = app
  const theme = (color_scheme: 1 | 2 | 3) => () =>
    void attempt(app, api.patch('/settings', { color_scheme }))
  const command = (
    names: readonly string[],
    icon: IconNode,
    does: Pick<Command, 'to' | 'href' | 'run'>,
  ): Omit<Command, 'key'> => ({ names, icon, ...does })
  const write = (to: Parameters<typeof compose.open>[0]) => ({ run: () => compose.open(to) })
  const settings = (area: 'personal' | 'organization') =>
    ({ to: { kind: 'settings', area, path: [] } }) as const
  return {
    invite: command([t('Invite people')], UserPlus, { to: { kind: 'invite' } }),
    'new-channel': command([t('New channel')], Hash, { to: { kind: 'channels', tab: 'new' } }),
    browse: command([t('Browse channels')], Compass, { to: { kind: 'channels', tab: 'all' } }),
    'compose-topic': command(
      [t('New conversation')],
      SquarePen,
      write({ kind: 'topic', channelId: undefined, topic: '' }),
    ),
    'compose-direct': command(
      [t('New direct message')],
      MessageCircle,
      write({ kind: 'direct', userIds: [] }),
    ),
    'set-status': command([t('Set your status')], Smile, { run: () => openStatusDialog(app) }),
    pause: command([t('Pause notifications'), t('Do not disturb')], BellOff, {
      run: () => openPauseDialog(app),
    }),
    light: command([t('Light theme')], Sun, { run: theme(3) }),
    dark: command([t('Dark theme')], Moon, { run: theme(2) }),
    system: command([t('System theme')], Monitor, { run: theme(1) }),
    read: command([t('Mark all as read')], Inbox, {
      run: () => void markAllRead(app, 'everything'),
    }),
    groups: command([t('Groups')], Users, { to: { kind: 'groups', tab: 'your' } }),
    settings: command([t('Settings')], Settings, settings('personal')),
    organization: command([t('Organization settings')], Building2, settings('organization')),
    'show-keys': command([t('Keyboard shortcuts')], Keyboard, {
      to: { kind: 'keyboard-shortcuts' },
    }),
    connect: command([t('Connect apps')], Smartphone, { href: '/connect' }),
    'log-out': command([t('Log out')], leaveIcon, { run: () => void attempt(app, app.logOut()) }),
  }
}
