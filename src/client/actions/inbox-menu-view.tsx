import { CheckCheck } from 'lucide'
import type { App } from '#client/app.ts'
import { markAllRead } from '#client/commands/mark-read.ts'
import { Menu } from '#client/ui/menu.tsx'
import { t } from '#client/ui/t.ts'

interface InboxMenuProps {
  readonly app: App
  readonly anchor: Element
  readonly onClose: () => void
}

/** The menu of the inbox. */
export function InboxMenu({ app, anchor, onClose }: InboxMenuProps) {
  return (
    <Menu
      label={t('Inbox menu')}
      anchor={anchor}
      placement="bottom-end"
      onClose={onClose}
      items={[
        {
          label: t('Mark all as read'),
          icon: CheckCheck,
          onSelect: () => void markAllRead(app, 'everything'),
        },
      ]}
    />
  )
}
