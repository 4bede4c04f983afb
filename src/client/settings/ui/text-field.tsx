import type { ComponentChildren } from 'preact'
import { useSave } from '#client/commands/use-save.ts'
import { isFinishing } from '#client/ui/finishing.ts'
import { fingerprint, useDraft } from './draft.ts'
import { DraftButtons } from './draft-buttons.tsx'
import { controlProps, FieldFrame, type FieldProps } from './field-frame.tsx'

interface TextFieldProps extends FieldProps<string> {
  readonly type?: 'text' | 'email' | 'url' | 'date' | 'tel'
  readonly isLong?: boolean
  readonly maxLength?: number | undefined
  /** Refuses to save nothing. */
  readonly isRequired?: boolean
  readonly placeholder?: string
  /**
   * The key of the draft, if there are several fields with the same name, such as one for each bot.
   */
  readonly draftKey?: string
  /** A preview of the text, shown below. */
  readonly preview?: (text: string) => ComponentChildren
}

/** A text, saved by a button or Enter, and discarded by Escape. Its draft outlives the page. */
export function TextField(props: TextFieldProps) {
  const { value, onSave, type = 'text', isLong, maxLength, isRequired, placeholder } = props
  const { draftKey = props.name, preview, name, label, help, locked } = props
  const draft = useDraft<string>(draftKey)
  const saving = useSave(value, onSave)
  const text = draft.value?.typed ?? saving.shown
  const isChanged = draft.value !== undefined && text !== value
  const isInvalid = isRequired && text.trim() === ''

  async function save(): Promise<void> {
    if (!isChanged || isInvalid) return
    if (await saving.save(text)) draft.value = undefined
  }
  function cancel(): void {
    draft.value = undefined
    saving.clear()
  }

  const shared = {
    ...controlProps(props),
    class: 'input',
    value: text,
    maxLength,
    required: isRequired,
    placeholder,
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) => {
      draft.value = { typed: currentTarget.value, base: draft.peek()?.base ?? fingerprint(value) }
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (isFinishing(event)) return
      if (event.key === 'Enter' && (!isLong || event.ctrlKey || event.metaKey)) {
        event.preventDefault()
        void save()
      } else if (event.key === 'Escape' && isChanged) {
        event.preventDefault()
        event.stopPropagation()
        cancel()
      }
    },
  }
  const isOvertaken = draft.value !== undefined && draft.value.base !== fingerprint(value)
  return (
    <FieldFrame {...{ name, label, help, locked }} status={saving.status}>
      {isLong ? <textarea {...shared} rows={4} /> : <input {...shared} type={type as 'text'} />}
      {preview?.(text)}
      {isChanged && (
        <DraftButtons
          isSaving={saving.status.kind === 'saving'}
          isInvalid={isInvalid === true}
          meanwhile={isOvertaken ? value : undefined}
          onSave={() => void save()}
          onCancel={cancel}
        />
      )}
    </FieldFrame>
  )
}
