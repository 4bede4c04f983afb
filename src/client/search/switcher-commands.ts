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

/** Commands that work anywhere. */
export function actionCommands(app: App): readonly Command[] {
  const { api, compose } = app
  const theme = (color_scheme: 1 | 2 | 3) => () =>
    void attempt(app, api.patch('/settings', { color_scheme }))
  const command = (
    key: string,
    names: readonly string[],
    icon: IconNode,
    does: Pick<Command, 'to' | 'run'>,
  ): Command => ({ key: `do:${key}`, names, icon, ...does })
  const write = (to: Parameters<typeof compose.open>[0]) => ({ run: () => compose.open(to) })
  return [
    command('invite', [t('Invite people')], UserPlus, { to: { kind: 'invite' } }),
    command('new-channel', [t('New channel')], Hash, { to: { kind: 'channels', tab: 'new' } }),
    command('browse', [t('Browse channels')], Compass, { to: { kind: 'channels', tab: 'all' } }),
    command(
      'new-topic',
      [t('New conversation')],
      SquarePen,
      write({ kind: 'topic', channelId: undefined, topic: '' }),
    ),
    command(
      'new-direct',
      [t('New direct message')],
      MessageCircle,
      write({ kind: 'direct', userIds: [] }),
    ),
    command('status', [t('Set your status')], Smile, { run: () => openStatusDialog(app) }),
    command('pause', [t('Pause notifications'), t('Do not disturb')], BellOff, {
      run: () => openPauseDialog(app),
    }),
    command('light', [t('Light theme')], Sun, { run: theme(3) }),
    command('dark', [t('Dark theme')], Moon, { run: theme(2) }),
    command('system', [t('System theme')], Monitor, { run: theme(1) }),
    command('read', [t('Mark all as read')], Inbox, {
      run: () => void markAllRead(app, 'everything'),
    }),
    command('groups', [t('Groups')], Users, { to: { kind: 'groups', tab: 'your' } }),
    command('settings', [t('Settings')], Settings, {
      to: { kind: 'settings', area: 'personal', path: [] },
    }),
    command('organization', [t('Organization settings')], Building2, {
      to: { kind: 'settings', area: 'organization', path: [] },
    }),
    command('keys', [t('Keyboard shortcuts')], Keyboard, { to: { kind: 'keyboard-shortcuts' } }),
    command('connect', [t('Connect apps')], Smartphone, {
      run: () => location.assign('/connect'),
    }),
    command('log-out', [t('Log out')], leaveIcon, { run: () => void attempt(app, app.logOut()) }),
  ]
}
