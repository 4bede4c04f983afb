import { Plus, X } from 'lucide'
import { useState } from 'preact/hooks'
import type { App } from '#client/app.ts'
import { FormDialog } from '#client/commands/form-dialog.tsx'
import { FormText } from '#client/commands/form-fields.tsx'
import { Button, IconButton } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'

interface MakerProps {
  readonly app: App
  readonly onClose: () => void
}

/** Makes the text of a message that shows a poll. */
export function PollDialog({ app, onClose }: MakerProps) {
  return (
    <Maker
      app={app}
      title={t('New poll')}
      head={t('Question')}
      line={t('Option')}
      command="/poll"
      onClose={onClose}
    />
  )
}

/** Makes the text of a message that shows a to-do list. */
export function TodoDialog({ app, onClose }: MakerProps) {
  return (
    <Maker
      app={app}
      title={t('New to-do list')}
      head={t('Title')}
      line={t('Task')}
      command="/todo"
      onClose={onClose}
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

function Maker({ app, title, head, line, command, onClose }: MakerParts) {
  const [name, setName] = useState('')
  const [lines, setLines] = useState(['', '', ''])
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
        <div class="maker-line" key={index}>
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
