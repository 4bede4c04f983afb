import { Pencil, X } from 'lucide'
import { useApp } from '#client/app-context.ts'
import { openLazy } from '#client/commands/surfaces.tsx'
import { IconButton } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'
import { SourceView } from './source-view.tsx'
import { widgetSource } from './widget-source.ts'

interface WidgetCardProps {
  readonly text: string
  readonly onText: (text: string) => void
}

/** A poll or to-do list that is to be sent. */
export function WidgetCard({ text, onText }: WidgetCardProps) {
  const app = useApp()
  const widget = widgetSource(text)
  if (!widget) return null
  const isPoll = widget.kind === 'poll'

  function edit(): void {
    const load = async () => {
      const { PollDialog, TodoDialog } = await import('./widget-dialogs.tsx')
      return isPoll ? PollDialog : TodoDialog
    }
    void openLazy(app, load, { app, widget })
  }

  return (
    <div class="quote-card">
      <SourceView source={text} />
      <span class="quote-acts">
        <IconButton
          label={isPoll ? t('Edit the poll') : t('Edit the to-do list')}
          icon={Pencil}
          size={14}
          onClick={edit}
        />
        <IconButton
          label={isPoll ? t('Remove the poll') : t('Remove the to-do list')}
          icon={X}
          size={14}
          onClick={() => onText('')}
        />
      </span>
    </div>
  )
}
