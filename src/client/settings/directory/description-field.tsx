import { useRef } from 'preact/hooks'
import { Preview } from '#client/compose/preview.tsx'
import { ServerHtml } from '#client/messages/message-body.tsx'
import { FieldFrame } from '#client/settings/ui/field-frame.tsx'
import { TextField } from '#client/settings/ui/text-field.tsx'
import { useSettled } from '#client/settings/ui/use-settled.ts'
import { t } from '#client/ui/t.ts'

interface DescriptionFieldProps {
  readonly draftKey: string
  /** Markdown. */
  readonly value: string
  /** Its HTML from the server. */
  readonly html: string
  readonly maxLength: number
  readonly locked: string | undefined
  readonly onSave: (description: string) => Promise<unknown>
}

/** A description in Markdown with a preview; only the preview if it cannot be changed. */
export function DescriptionField({ value, html, ...field }: DescriptionFieldProps) {
  const name = 'description'
  const label = t('Description')
  if (field.locked !== undefined) {
    return (
      <FieldFrame {...{ name, label }} locked={field.locked} as="group" status={{ kind: 'idle' }}>
        {html === '' ? <p>{t('None')}</p> : <ServerHtml html={html} class="directory-preview" />}
      </FieldFrame>
    )
  }
  return (
    <TextField
      {...field}
      name={name}
      label={label}
      value={value}
      isLong
      preview={(text) =>
        text === value ? (
          isFormatted(html) && <ServerHtml html={html} class="directory-preview" />
        ) : (
          <TypedPreview text={text} />
        )
      }
    />
  )
}

/** Whether it looks different from its source: more than paragraphs and lines. */
function isFormatted(html: string): boolean {
  return /<(?!\/?p>|br\b)/.test(html)
}

function TypedPreview({ text }: { readonly text: string }) {
  const focus = useRef<HTMLElement>(null)
  return <Preview text={useSettled(text)} focusRef={focus} />
}
