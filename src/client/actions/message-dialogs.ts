import type { ComponentType } from 'preact'
import type { App } from '#client/app.ts'
import { openLazy } from '#client/commands/surfaces.tsx'
import type { Message } from '#client/state/model.ts'
import type { MessageDialogProps } from './message-dialog-props.ts'

type DialogKind =
  | 'move'
  | 'delete'
  | 'remind'
  | 'reactions'
  | 'receipts'
  | 'history'
  | 'source'
  | 'report'

/** Each is loaded when it is opened. */
const dialogs: Record<DialogKind, () => Promise<ComponentType<MessageDialogProps>>> = {
  move: async () => (await import('./move-dialog.tsx')).MoveDialog,
  delete: async () => (await import('./delete-dialog.tsx')).DeleteDialog,
  remind: async () => (await import('./reminder-dialog.tsx')).ReminderDialog,
  reactions: async () => (await import('./reactions-dialog.tsx')).ReactionsDialog,
  receipts: async () => (await import('./receipts-dialog.tsx')).ReceiptsDialog,
  history: async () => (await import('./history-dialog.tsx')).HistoryDialog,
  source: async () => (await import('./source-dialog.tsx')).SourceDialog,
  report: async () => (await import('./report-dialog.tsx')).ReportDialog,
}

/** Opens a dialog about a message. */
export function openMessageDialog(app: App, kind: DialogKind, message: Message): void {
  void openLazy(app, dialogs[kind], { app, message })
}
