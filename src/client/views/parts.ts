import { editing } from '#client/compose/editing.ts'
import { lazy } from '#client/ui/lazy.tsx'

/* Parts of views that are not loaded with the first script. */

export const EmptyList = lazy(async () => (await import('./empty-list.tsx')).EmptyList, {
  isOptional: true,
})
export const EmptyInbox = lazy(async () => (await import('./empty-list.tsx')).EmptyInbox)
/** The name of the mark that an account has until it dismisses the list of first steps. */
export const firstStepsMark = 'getting_started'
export const GettingStarted = lazy(
  async () => (await import('./getting-started.tsx')).GettingStarted,
  { isOptional: true },
)
export const TopicActions = lazy(async () => (await import('./head-actions.tsx')).TopicActions, {
  isOptional: true,
})
export const TopicAbout = lazy(async () => (await import('./head-about.tsx')).TopicAbout, {
  isOptional: true,
})
export const GroupAbout = lazy(async () => (await import('./head-about.tsx')).GroupAbout, {
  isOptional: true,
})
export const PersonAbout = lazy(async () => (await import('./head-about.tsx')).PersonAbout, {
  isOptional: true,
})
export const SearchActions = lazy(async () => (await import('./head-actions.tsx')).SearchActions, {
  isOptional: true,
})
export const PinsButton = lazy(async () => (await import('./head-actions.tsx')).PinsButton, {
  isOptional: true,
})
export const DirectCallButtons = lazy(
  async () => (await import('#client/calls/call-buttons.tsx')).DirectCallButtons,
  { isOptional: true },
)
export const MessageButtons = lazy(
  async () => (await import('#client/actions/message-buttons.tsx')).MessageButtons,
  { isOptional: true },
)
export const EditBox = lazy(async () => {
  const [box] = await Promise.all([import('#client/actions/edit-box.tsx'), editing.load()])
  return box.EditBox
})
export const UserCard = lazy(async () => (await import('./user-card.tsx')).UserCard)
export const Snippet = lazy(async () => (await import('./snippet.tsx')).Snippet, {
  isOptional: true,
})
export const SnippetFace = lazy(async () => (await import('./snippet.tsx')).SnippetFace, {
  isOptional: true,
})
export const SnippetTime = lazy(async () => (await import('./snippet.tsx')).SnippetTime, {
  isOptional: true,
})
export const TypingLine = lazy(async () => (await import('./typing-line.tsx')).TypingLine, {
  isOptional: true,
})
export const UnreadAbove = lazy(async () => (await import('./unread-above.tsx')).UnreadAbove, {
  isOptional: true,
})
