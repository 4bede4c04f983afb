import { useRef } from 'preact/hooks'
import { copy } from '#client/commands/copy.ts'
import { sourceOf } from '#client/commands/quoting.ts'
import { useFetched } from '#client/commands/use-fetched.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { useGrowing } from '#client/ui/growing.ts'
import { t } from '#client/ui/t.ts'
import type { MessageDialogProps } from './message-dialog-props.ts'

/** The Markdown of a message. */
export function SourceDialog({ app, message, onClose }: MessageDialogProps) {
  const { value: source, problem } = useFetched(undefined, () => sourceOf(app, message.id))
  const area = useRef<HTMLTextAreaElement>(null)
  useGrowing(area, source)
  return (
    <Dialog
      title={t('Message source')}
      onClose={onClose}
      footer={
        <Button
          disabled={source === undefined}
          onClick={() => void copy(app, source ?? '', t('Source copied.'))}
        >
          {t('Copy')}
        </Button>
      }
    >
      {problem && <p class="field-problem">{problem}</p>}
      <textarea
        ref={area}
        class="input source-text"
        readOnly
        aria-label={t('Source')}
        value={source ?? ''}
      />
    </Dialog>
  )
}
