import {
  messageSent,
  messagesChanged,
  messagesErased,
} from '#features/foundation/core/occasions.ts'
import { feature } from '#platform/feature.ts'
import { on } from '#platform/store/occasions.ts'
import { noteChange, noteChanges } from './changes.actions.ts'
import { mountAssistants } from './pages.ts'

export const assistants = feature({
  on: [
    on(messageSent, (tx, { message }) => noteChange(tx, message)),
    on(messagesChanged, (tx, { ids }) => noteChanges(tx, ids)),
    on(messagesErased, (tx, { ids }) => noteChanges(tx, ids)),
  ],
  pages: [mountAssistants],
})
