import { Check, Lock } from 'lucide'
import type { ComponentChildren } from 'preact'
import type { SaveStatus } from '#client/commands/use-save.ts'
import { problemIn } from '#client/commands/use-save.ts'
import { classes } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { Problem } from '#client/ui/problem.tsx'
import { t } from '#client/ui/t.ts'
import { useLock } from './locks.tsx'

/** The properties of all fields of settings. */
export interface FieldProps<T> {
  /** Identifies the field on its page: the name of the setting on the wire. */
  readonly name: string
  readonly label: string
  readonly help?: string | undefined
  readonly value: T
  /** @throws CallError the server's refusal, which is shown beside the field */
  readonly onSave: (value: T) => Promise<unknown>
  /**
   * Who may change it, if the user may not: the field is disabled, and it or its page says so.
   * Empty: what is around the field says so.
   */
  readonly locked?: string | undefined
}

interface FieldFrameProps {
  readonly name: string
  readonly label: string
  readonly help?: string | undefined
  readonly locked?: string | undefined
  readonly status: SaveStatus
  /** The label names one control by its id; `group` for several, which the frame names. */
  readonly as?: 'label' | 'group'
  /** Puts the control before the label, in one line. */
  readonly isInline?: boolean
  readonly children: ComponentChildren
}

/** The id of a field's control. */
export const fieldId = (name: string) => `field-${name}`
const noteId = (name: string) => `note-${name}`
const lockId = (name: string) => `lock-${name}`
/** The ids of all that explains a control. */
const notesOf = (name: string, locked: string | undefined) =>
  locked ? `${noteId(name)} ${lockId(name)}` : noteId(name)

/** A label and a control, with the state of saving, an explanation, and who may change it. */
export function FieldFrame(props: FieldFrameProps) {
  const { name, label, help, locked, status, as = 'label', isInline, children } = props
  const labelled =
    as === 'label' ? (
      <label class="field-label" for={fieldId(name)}>
        {label}
      </label>
    ) : (
      <span class="field-label" id={`${fieldId(name)}-label`}>
        {label}
      </span>
    )
  const isOnBanner = useLock(locked)
  const Frame = as === 'group' ? 'fieldset' : 'div'
  return (
    <Frame
      class={classes(
        'stack tight setting',
        isInline && 'setting-inline',
        locked && 'setting-locked',
      )}
      data-setting={name}
      aria-labelledby={as === 'group' ? `${fieldId(name)}-label` : undefined}
      aria-describedby={as === 'group' ? notesOf(name, locked) : undefined}
    >
      <div class="setting-head">
        {isInline && children}
        {labelled}
        {locked && isOnBanner && <LockMark id={lockId(name)} reason={locked} />}
        <SaveNote status={status} />
      </div>
      {!isInline && children}
      <div class="setting-notes">
        <FieldNotes name={name} help={help} status={status} />
        {locked && !isOnBanner && <LockReason id={lockId(name)} reason={locked} />}
      </div>
    </Frame>
  )
}

interface FieldNotesProps {
  readonly name: string
  readonly help: string | undefined
  readonly status: SaveStatus
}

function FieldNotes({ name, help, status }: FieldNotesProps) {
  return (
    <div id={noteId(name)}>
      {help && <p class="field-help">{help}</p>}
      <Problem text={problemIn(status)} />
    </div>
  )
}

/** Who may change something, if the user may not: a mark is enough where the page says it. */
export function LockNote({ locked }: { readonly locked: string | undefined }) {
  const isOnBanner = useLock(locked)
  if (locked === undefined) return null
  return isOnBanner ? <LockMark reason={locked} /> : <LockReason reason={locked} />
}

interface LockProps {
  readonly id?: string
  readonly reason: string
}

function LockReason({ id, reason }: LockProps) {
  return (
    <p class="row tight field-help setting-lock" id={id}>
      <Icon node={Lock} size={13} /> {reason}
    </p>
  )
}

function LockMark({ id, reason }: LockProps) {
  return (
    <span class="row tight setting-lock" id={id} title={reason}>
      <Icon node={Lock} size={14} label={reason} />
    </span>
  )
}

/** The common attributes of controls. */
export function controlProps({ name, locked }: { name: string; locked?: string | undefined }) {
  return {
    id: fieldId(name),
    disabled: locked !== undefined,
    'aria-describedby': notesOf(name, locked),
  }
}

/** The state of saving, in a word, also for screen readers. */
export function SaveNote({ status }: { readonly status: SaveStatus }) {
  return (
    <span class="row save-note" role="status">
      {status.kind === 'saving' && t('Saving…')}
      {status.kind === 'saved' && (
        <>
          <Icon node={Check} size={14} /> {t('Saved')}
        </>
      )}
    </span>
  )
}
