import { Plus, X } from 'lucide'
import { useState } from 'preact/hooks'
import type { App } from '#client/app.ts'
import { FormDialog } from '#client/commands/form-dialog.tsx'
import { FormText } from '#client/commands/form-fields.tsx'
import { Button, IconButton } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'
import type { WidgetSource } from './widget-source.ts'

interface MakerProps {
  readonly app: App
  /** What is to be changed. */
  readonly widget?: WidgetSource
  readonly onClose: () => void
}

/** Makes the text of a message that shows a poll. */
export function PollDialog(props: MakerProps) {
  return (
    <Maker
      {...props}
      title={t('New poll')}
      head={t('Question')}
      line={t('Option')}
      command="/poll"
    />
  )
}

/** Makes the text of a message that shows a to-do list. */
export function TodoDialog(props: MakerProps) {
  return (
    <Maker
      {...props}
      title={t('New to-do list')}
      head={t('Title')}
      line={t('Task')}
      command="/todo"
    />
  )
}

interface MakerParts extends MakerProps {
  readonly title: string
  /** The names of the first field and of the others. */
  readonly head: string
  readonly line: string
  readonly command: string
}

function Maker({ app, widget, title, head, line, command, onClose }: MakerParts) {
  const [name, setName] = useState(widget?.title ?? '')
  const [lines, setLines] = useState([...(widget?.lines ?? ['', '']), ''])
  const filled = lines.map((text) => text.trim()).filter(Boolean)

  return (
    <FormDialog
      title={title}
      size="small"
      action={t('Add to message')}
      isInvalid={name.trim() === ''}
      onSave={async () => {
        app.compose.setText(`${[`${command} ${name.trim()}`, ...filled].join('\n')}\n`)
      }}
      onClose={onClose}
    >
      <FormText label={head} value={name} onInput={setName} />
      {lines.map((text, index) => (
        <div class="row tight" key={index}>
          <input
            class="input"
            aria-label={`${line} ${index + 1}`}
            placeholder={`${line} ${index + 1}`}
            value={text}
            onInput={(event) => setLines(lines.with(index, event.currentTarget.value))}
          />
          <IconButton
            label={t('Remove')}
            icon={X}
            size={14}
            onClick={() => setLines(lines.filter((_, each) => each !== index))}
          />
        </div>
      ))}
      <Button icon={Plus} onClick={() => setLines([...lines, ''])}>
        {t('Add')}
      </Button>
    </FormDialog>
  )
}
