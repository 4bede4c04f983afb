import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { t } from '#client/ui/t.ts'
import { fingerprint } from './draft.ts'
import { useSave } from './use-save.ts'

interface FormDialogProps<F extends string> {
  readonly title: string
  /** The name of the button that saves. */
  readonly action: string
  /** Marks what cannot be undone. */
  readonly isDanger?: boolean
  readonly isInvalid?: boolean
  /** What the form was filled from, as it is now: whoever changes it meanwhile is told of. */
  readonly source?: unknown
  /** Which field a refusal is about, by the server's words. Others stand above the buttons. */
  readonly blame?: readonly (readonly [RegExp, F])[]
  /** @throws CallError what the server refuses */
  readonly onSave: () => Promise<unknown>
  readonly onClose: () => void
  /** The fields. @param problems what the server refused, by field */
  readonly children: (problems: Readonly<Partial<Record<F, string>>>) => ComponentChildren
}

/** A form of several fields that are saved together. It stays open until that has worked. */
export function FormDialog<F extends string>(props: FormDialogProps<F>) {
  const { title, action, isDanger, isInvalid, source, blame = [], onSave, onClose } = props
  const form = useId()
  const saving = useSave(undefined, onSave)
  const { status } = saving
  const before = useRef(fingerprint(source))
  const problem = status.kind === 'failed' ? status.problem : undefined
  const field = blame.find(([words]) => problem !== undefined && words.test(problem))?.[1]
  const problems = (field === undefined ? {} : { [field]: problem }) as Partial<Record<F, string>>
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            type="submit"
            form={form}
            kind={isDanger ? 'danger' : 'primary'}
            isBusy={status.kind === 'saving'}
            disabled={isInvalid}
          >
            {action}
          </Button>
        </>
      }
    >
      <form
        id={form}
        class="form"
        onSubmit={async (event) => {
          event.preventDefault()
          if (await saving.save(undefined)) onClose()
        }}
      >
        {props.children(problems)}
        {fingerprint(source) !== before.current && (
          <p class="banner" role="status">
            {t('Somebody changed this meanwhile. What you save replaces that.')}
          </p>
        )}
        {problem !== undefined && field === undefined && (
          <p class="field-problem" role="alert">
            {problem}
          </p>
        )}
      </form>
    </Dialog>
  )
}

interface FormFieldProps {
  readonly label: string
  readonly help?: string | undefined
  readonly problem?: string | undefined
}

interface FormTextProps extends FormFieldProps {
  readonly value: string
  readonly onInput: (value: string) => void
  readonly isLong?: boolean
  readonly isRequired?: boolean
  /** In a font of fixed width. */
  readonly isCode?: boolean
  readonly placeholder?: string
}

/** A text in a form. */
export function FormText(props: FormTextProps) {
  const { label, help, problem, value, isLong, isRequired, isCode, placeholder } = props
  const id = useId()
  const shared = {
    id,
    class: isCode ? 'input input-code' : 'input',
    value,
    placeholder,
    required: isRequired,
    spellcheck: !isCode,
    'aria-describedby': `${id}-notes`,
    'aria-invalid': problem !== undefined,
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      props.onInput(currentTarget.value),
  }
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      {isLong ? <textarea {...shared} rows={3} /> : <input {...shared} type="text" />}
      <Notes id={`${id}-notes`} help={help} problem={problem} />
    </div>
  )
}

interface FormChoiceProps extends FormFieldProps {
  readonly value: string
  readonly choices: readonly { readonly value: string; readonly label: string }[]
  readonly onChange: (value: string) => void
}

/** One of several values in a form. */
export function FormChoice({ label, help, problem, value, choices, onChange }: FormChoiceProps) {
  const id = useId()
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      <select
        id={id}
        class="input select"
        aria-describedby={`${id}-notes`}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
      <Notes id={`${id}-notes`} help={help} problem={problem} />
    </div>
  )
}

interface FormCheckProps extends FormFieldProps {
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
}

/** What a form switches on or off. */
export function FormCheck({ label, help, problem, isChecked, onChange }: FormCheckProps) {
  const id = useId()
  return (
    <div class="field">
      <label class="check-row">
        <input
          type="checkbox"
          aria-describedby={id}
          checked={isChecked}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        {label}
      </label>
      <Notes id={id} help={help} problem={problem} />
    </div>
  )
}

interface NotesProps extends Pick<FormFieldProps, 'help' | 'problem'> {
  readonly id: string
}

function Notes({ id, help, problem }: NotesProps) {
  return (
    <div id={id} class="setting-notes">
      {help && <p class="field-help">{help}</p>}
      {problem && (
        <p class="field-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

interface FormFileProps extends FormFieldProps {
  readonly file: File | undefined
  readonly onChange: (file: File | undefined) => void
}

/** A picture in a form, which shows it. */
export function FormFile({ label, help, problem, file, onChange }: FormFileProps) {
  const id = useId()
  const picture = useRef<HTMLImageElement>(null)
  useEffect(() => {
    if (!file || !picture.current) return
    const url = URL.createObjectURL(file)
    picture.current.src = url
    return () => URL.revokeObjectURL(url)
  }, [file])
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      <div class="form-file">
        {file && <img ref={picture} class="emoji-picture" alt="" width={28} height={28} />}
        <input
          id={id}
          type="file"
          accept="image/png,image/jpeg,image/gif,image/webp"
          aria-describedby={`${id}-notes`}
          onChange={(event) => onChange(event.currentTarget.files?.[0])}
        />
      </div>
      <Notes id={`${id}-notes`} help={help} problem={problem} />
    </div>
  )
}
