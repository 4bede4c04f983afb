import type { EventNamed } from '#client/api/wire.ts'
import type { State } from './state.ts'

/** The user's drafts, snippets, scheduled messages and reminders. */

export function addDrafts(state: State, event: EventNamed<'drafts/add'>): void {
  for (const draft of event.drafts) state.drafts.set(draft.id, draft)
}

export function updateDraft(state: State, { draft }: EventNamed<'drafts/update'>): void {
  state.drafts.set(draft.id, draft)
}

export function removeDraft(state: State, event: EventNamed<'drafts/remove'>): void {
  state.drafts.delete(event.draft_id)
}

export function setSnippet(state: State, event: EventNamed<'saved_snippets/add'>): void {
  state.snippets.set(event.saved_snippet.id, event.saved_snippet)
}

export function removeSnippet(state: State, event: EventNamed<'saved_snippets/remove'>): void {
  state.snippets.delete(event.saved_snippet_id)
}

export function addScheduled(state: State, event: EventNamed<'scheduled_messages/add'>): void {
  for (const message of event.scheduled_messages) {
    state.scheduled.set(message.scheduled_message_id, message)
  }
}

export function updateScheduled(
  state: State,
  event: EventNamed<'scheduled_messages/update'>,
): void {
  const { scheduled_message } = event
  state.scheduled.set(scheduled_message.scheduled_message_id, scheduled_message)
}

export function removeScheduled(
  state: State,
  event: EventNamed<'scheduled_messages/remove'>,
): void {
  state.scheduled.delete(event.scheduled_message_id)
}

export function addReminders(state: State, event: EventNamed<'reminders/add'>): void {
  for (const reminder of event.reminders) state.reminders.set(reminder.reminder_id, reminder)
}

export function removeReminder(state: State, event: EventNamed<'reminders/remove'>): void {
  state.reminders.delete(event.reminder_id)
}
