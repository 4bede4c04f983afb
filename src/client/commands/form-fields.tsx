import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Problem } from '#client/ui/problem.tsx'
import { t } from '#client/ui/t.ts'
import { useProblem } from './refusal.tsx'

/**
 * Fields of a form that is sent as a whole. Each has a label, an explanation, and the server's
 * refusal.
 */

interface FormFieldProps {
  readonly label: string
  readonly help?: ComponentChildren
  /** A problem that the form itself has found. */
  readonly problem?: string | undefined
  /** The parameter of the call; the field shows what the server refuses about it. */
  readonly parameter?: string | undefined
}

interface FormTextProps extends FormFieldProps {
  readonly value: string
  readonly onInput: (value: string) => void
  readonly type?: 'text' | 'email' | 'url' | 'password' | 'date'
  readonly isLong?: boolean
  /** The lines of a long text; default: 3. */
  readonly rows?: number
  readonly isRequired?: boolean
  /** In a font of fixed width. */
  readonly isCode?: boolean
  readonly placeholder?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  /** The first and the last day that may be chosen, `YYYY-MM-DD`. */
  readonly min?: string
  readonly max?: string
  /** The `autocomplete` value for browsers. */
  readonly autocomplete?: 'off' | 'current-password' | 'new-password'
  /** A button beside the field. */
  readonly button?: ComponentChildren
}

/** The password of the account, which a form asks for again. */
export function OwnPassword(props: Pick<FormTextProps, 'value' | 'onInput'>) {
  return (
    <FormText
      label={t('Your password')}
      parameter="password"
      type="password"
      autocomplete="current-password"
      isRequired
      {...props}
    />
  )
}

/** The explanation of a field and its problem, with the id that tells whose they are. */
function useNotes({ help, problem, parameter }: FormFieldProps) {
  const id = useId()
  const refused = useProblem(parameter)
  const shown = problem ?? refused
  const isInvalid = shown !== undefined
  if (!help && !shown) return { id, isInvalid }
  const notesId = `${id}-notes`
  const notes = (
    <div id={notesId} class="setting-notes">
      {help && <p class="field-help">{help}</p>}
      <Problem text={shown} />
    </div>
  )
  return { id, isInvalid, notesId, notes }
}

/** A text in a form. */
export function FormText(props: FormTextProps) {
  const { label, value, type = 'text', isLong, isRequired, isCode } = props
  const { rows = 3 } = props
  const { placeholder, minLength, maxLength, pattern, min, max, autocomplete, button } = props
  const { id, notesId, notes, isInvalid } = useNotes(props)
  const shared = {
    id,
    class: isCode ? 'input input-code' : 'input',
    value,
    placeholder,
    minLength,
    maxLength,
    pattern,
    autocomplete,
    required: isRequired,
    spellcheck: !isCode,
    'aria-describedby': notesId,
    'aria-invalid': isInvalid,
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      props.onInput(currentTarget.value),
  }
  const control = isLong ? (
    <textarea {...shared} rows={rows} />
  ) : (
    <input {...shared} type={type as 'text'} min={min} max={max} />
  )
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      {button === undefined ? (
        control
      ) : (
        <div class="row key-row">
          {control}
          {button}
        </div>
      )}
      {notes}
    </div>
  )
}

/** A value to choose, and its label. */
export interface Choice<T> {
  readonly value: T
  readonly label: string
}

interface FormChoiceProps<T> extends FormFieldProps {
  readonly value: T
  readonly choices: readonly Choice<T>[]
  readonly onChange: (value: T) => void
}

interface ChoiceListProps<T> {
  readonly id: string
  readonly value: T
  readonly choices: readonly Choice<T>[]
  readonly onChange: (value: T) => void
  readonly disabled?: boolean
  readonly 'aria-describedby'?: string | undefined
}

/** The browser's list of several values. */
export function ChoiceList<T>({ value, choices, onChange, ...attributes }: ChoiceListProps<T>) {
  return (
    <select
      {...attributes}
      class="input select"
      value={String(value)}
      onChange={({ currentTarget }) => {
        const chosen = choices[currentTarget.selectedIndex]
        if (chosen) onChange(chosen.value)
      }}
    >
      {choices.map((choice) => (
        <option key={String(choice.value)} value={String(choice.value)}>
          {choice.label}
        </option>
      ))}
    </select>
  )
}

/** One of several values in a form. */
export function FormChoice<T extends string | number | null>(props: FormChoiceProps<T>) {
  const { label, value, choices, onChange } = props
  const { id, notesId, notes } = useNotes(props)
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      <ChoiceList
        id={id}
        aria-describedby={notesId}
        value={value}
        choices={choices}
        onChange={onChange}
      />
      {notes}
    </div>
  )
}

interface FormCheckProps extends FormFieldProps {
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
}

/** A switch in a form. */
export function FormCheck(props: FormCheckProps) {
  const { label, isChecked, onChange } = props
  const { notesId, notes } = useNotes(props)
  return (
    <div class="field">
      <label class="check-row">
        <input
          type="checkbox"
          aria-describedby={notesId}
          checked={isChecked}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        {label}
      </label>
      {notes}
    </div>
  )
}

interface FormFileProps extends FormFieldProps {
  readonly file: File | undefined
  readonly onChange: (file: File | undefined) => void
}

/** A picture in a form, which shows it. */
export function FormFile(props: FormFileProps) {
  const { label, file, onChange } = props
  const { id, notesId, notes } = useNotes(props)
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
      <div class="row tight">
        {file && <img ref={picture} class="emoji-picture" alt="" width={28} height={28} />}
        <input
          id={id}
          type="file"
          accept="image/png,image/jpeg,image/gif,image/webp"
          aria-describedby={notesId}
          onChange={(event) => onChange(event.currentTarget.files?.[0])}
        />
      </div>
      {notes}
    </div>
  )
}
