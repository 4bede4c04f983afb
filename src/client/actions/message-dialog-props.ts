import type { App } from '#client/app.ts'
import type { Message } from '#client/state/model.ts'

export interface MessageDialogProps {
  readonly app: App
  readonly message: Message
  readonly onClose: () => void
}
