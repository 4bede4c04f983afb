import { Trash2, Upload } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { useSave } from '#client/commands/use-save.ts'
import { Button } from '#client/ui/button.tsx'
import { dropping } from '#client/ui/dropping.ts'
import { t } from '#client/ui/t.ts'
import { cropPicture, type PictureShape } from './crop-dialog.tsx'
import { FieldFrame } from './field-frame.tsx'

interface PictureFieldProps {
  readonly name: string
  readonly label: string
  readonly help?: string
  readonly locked?: string | undefined
  /** The picture as it is now. */
  readonly children: ComponentChildren
  /** The target of cropping; absent: it is not cropped. */
  readonly shape?: PictureShape
  /** In MiB. */
  readonly largest: number
  /** @throws CallError the server's refusal, which is shown beside the field */
  readonly onUpload: (file: File) => Promise<unknown>
  /** Absent: there is nothing to remove. */
  readonly onRemove?: (() => Promise<unknown>) | undefined
}

/** A picture to choose, cut and remove. */
export function PictureField(props: PictureFieldProps) {
  const { name, label, help, locked, children, shape, largest, onUpload, onRemove } = props
  const input = useRef<HTMLInputElement>(null)
  const saving = useSave<File | undefined>(undefined, async (file) => {
    if (!file) return await onRemove?.()
    return await onUpload(file)
  })

  async function choose(file: File | undefined): Promise<void> {
    if (!file) return
    const cropped = shape ? await cropPicture(file, shape) : file
    if (cropped) await saving.save(cropped)
  }

  return (
    <FieldFrame
      {...{ name, label, locked }}
      help={help ?? t('PNG, JPEG, GIF or WebP, at most {count} MiB.', { count: largest })}
      as="group"
      status={saving.status}
    >
      <div
        class="row cluster picture-field"
        {...(locked === undefined && dropping(([file]) => void choose(file)))}
      >
        {children}
        {locked === undefined && (
          <div class="cluster">
            <input
              ref={input}
              type="file"
              class="visually-hidden"
              tabIndex={-1}
              aria-label={t('File: {name}', { name: label })}
              accept="image/png,image/jpeg,image/gif,image/webp"
              onChange={({ currentTarget }) => {
                const [file] = currentTarget.files ?? []
                // The same file can be chosen again.
                currentTarget.value = ''
                void choose(file)
              }}
            />
            <Button
              icon={Upload}
              isBusy={saving.status.kind === 'saving'}
              onClick={() => input.current?.click()}
            >
              {t('Choose a picture')}
            </Button>
            {onRemove && (
              <Button icon={Trash2} kind="quiet" onClick={() => void saving.save(undefined)}>
                {t('Remove')}
              </Button>
            )}
          </div>
        )}
      </div>
    </FieldFrame>
  )
}
