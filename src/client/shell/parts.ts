import { loadSurfaceStyles } from '#client/commands/surfaces.tsx'
import { editing } from '#client/compose/editing.ts'
import { ownCommands } from '#client/keys/own-commands.ts'
import { MessageWidget } from '#client/messages/parts.ts'
import { describing, suggesting } from '#client/search/parts.ts'
import { whenActing } from '#client/ui/acting.ts'
import { lazy } from '#client/ui/lazy.tsx'
import { loadStyles } from '#client/ui/styles.ts'
import { OutboxRows } from '#client/views/outgoing.tsx'
import { EditBox, EmptyList, MessageButtons, TopicActions, UserCard } from '#client/views/parts.ts'

/**
 * Parts of the screen that are not loaded with the first script. What a page at rest shows is loaded
 * after the first screen, and what nobody needs before they do something, once someone is about to.
 */

export const Announcer = lazy(async () => (await import('./announcer.tsx')).Announcer, {
  isOptional: true,
})
/** Loaded before the connection is lost, as nothing is afterwards. */
export const ConnectionBar = lazy(
  async () => (await import('./connection-bar.tsx')).ConnectionBar,
  { isOptional: true },
)
export const Offers = lazy(async () => (await import('./offers.tsx')).Offers, {
  isOptional: true,
})
export const About = lazy(async () => (await import('./about.tsx')).About)
export const LeftSideBar = lazy(
  async () => (await import('#client/views/left-side-bar.tsx')).LeftSideBar,
)
export const RightSideBar = lazy(
  async () => (await import('#client/views/right-side-bar.tsx')).RightSideBar,
)
export const ComposeBox = lazy(
  async () => (await import('#client/compose/compose-box.tsx')).ComposeBox,
)
export const SearchBox = lazy(async () => (await import('#client/search/search-box.tsx')).SearchBox)
export const BottomBar = lazy(async () => (await import('./bottom-bar.tsx')).BottomBar, {
  isOptional: true,
})
export const GoneView = lazy(async () => (await import('#client/views/empty-list.tsx')).GoneView)
export const RecentView = lazy(async () => (await import('#client/views/recent.tsx')).RecentView)
export const DirectsView = lazy(async () => (await import('#client/views/directs.tsx')).DirectsView)
export const TopicListView = lazy(
  async () => (await import('#client/views/topic-list.tsx')).TopicListView,
)
export const DraftsView = lazy(async () => (await import('#client/views/drafts.tsx')).DraftsView)
export const ScheduledView = lazy(
  async () => (await import('#client/views/scheduled.tsx')).ScheduledView,
)
export const RemindersView = lazy(
  async () => (await import('#client/views/reminders.tsx')).RemindersView,
)
export const Settings = lazy(async () => {
  return (await withSettingsStyles(import('#client/settings/frame.tsx'))).SettingsFrame
})
export const PersonPage = lazy(async () => {
  const module = import('#client/settings/people/person-page.tsx')
  return (await withSettingsStyles(module)).PersonPage
})
export const InviteDialog = lazy(async () => {
  const module = import('#client/settings/people/invite-dialog.tsx')
  return (await withSettingsStyles(module)).InviteDialog
})

export const ChannelSettings = lazy(async () => {
  const module = import('#client/settings/channels/channels.tsx')
  return (await withSettingsStyles(module)).ChannelSettings
})
export const GroupSettings = lazy(async () => {
  const module = import('#client/settings/groups/groups.tsx')
  return (await withSettingsStyles(module)).GroupSettings
})

export const FirstSteps = lazy(async () => {
  const module = import('#client/settings/first-steps/first-steps.tsx')
  return (await withSettingsStyles(module)).FirstSteps
})

/** Pages of settings and sheets of help have their styles with them, wherever they open. */
export async function withSettingsStyles<T>(module: Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([module, loadStyles('settings')])
  return loaded
}

export function preloadParts(): void {
  void loadSurfaceStyles()
  const shown = [LeftSideBar, MessageButtons, ComposeBox, SearchBox, TopicActions, RightSideBar]
  for (const part of shown) part.preload()
  void whenActing().then(preloadForActing)
}

function preloadForActing(): void {
  const parts = [
    ownCommands,
    EmptyList,
    EditBox,
    OutboxRows,
    editing,
    MessageWidget,
    UserCard,
    suggesting,
    describing,
  ]
  for (const part of parts) part.preload()
}
