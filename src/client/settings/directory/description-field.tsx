import { useRef } from 'preact/hooks'
import { Preview } from '#client/compose/preview.tsx'
import { TextField } from '#client/settings/ui/text-field.tsx'
import { useSettled } from '#client/settings/ui/use-settled.ts'
import { t } from '#client/ui/t.ts'
import { ServerHtml } from '#client/views/message-body.tsx'

interface DescriptionFieldProps {
  readonly draftKey: string
  /** Markdown. */
  readonly value: string
  /** What the server made of it. */
  readonly html: string
  readonly maxLength: number
  readonly locked: string | undefined
  readonly onSave: (description: string) => Promise<unknown>
}

/** A description in Markdown, with what it looks like. */
export function DescriptionField({ value, html, ...field }: DescriptionFieldProps) {
  return (
    <TextField
      {...field}
      name="description"
      label={t('Description')}
      value={value}
      isLong
      preview={(text) =>
        text === value ? (
          html !== '' && <ServerHtml html={html} class="directory-preview" />
        ) : (
          <TypedPreview text={text} />
        )
      }
    />
  )
}

function TypedPreview({ text }: { readonly text: string }) {
  const focus = useRef<HTMLElement>(null)
  return <Preview text={useSettled(text)} focusRef={focus} />
}
