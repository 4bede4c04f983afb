import { Check, Lock } from 'lucide'
import type { ComponentChildren } from 'preact'
import type { SaveStatus } from '#client/commands/use-save.ts'
import { classes } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'

/** The properties of all fields of settings. */
export interface FieldProps<T> {
  /** Identifies the field on its page: the name of the setting on the wire. */
  readonly name: string
  readonly label: string
  readonly help?: string | undefined
  readonly value: T
  /** @throws CallError the server's refusal, which is shown beside the field */
  readonly onSave: (value: T) => Promise<unknown>
  /** The people who may change it, if the user may not: the field is disabled and says so. */
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
  const Frame = as === 'group' ? 'fieldset' : 'div'
  return (
    <Frame
      class={classes('setting', isInline && 'setting-inline', locked && 'setting-locked')}
      data-setting={name}
      aria-labelledby={as === 'group' ? `${fieldId(name)}-label` : undefined}
    >
      <div class="setting-head">
        {isInline && children}
        {labelled}
        <SaveNote status={status} />
      </div>
      {!isInline && children}
      <FieldNotes name={name} help={help} locked={locked} status={status} />
    </Frame>
  )
}

interface FieldNotesProps {
  readonly name: string
  readonly help?: string | undefined
  readonly locked?: string | undefined
  readonly status: SaveStatus
}

function FieldNotes({ name, help, locked, status }: FieldNotesProps) {
  return (
    <div class="setting-notes" id={noteId(name)}>
      {help && <p class="field-help">{help}</p>}
      <LockNote locked={locked} />
      {status.kind === 'failed' && (
        <p class="field-problem" role="alert">
          {status.problem}
        </p>
      )}
    </div>
  )
}

/** The people who may change something, if the user may not. */
export function LockNote({ locked }: { readonly locked: string | undefined }) {
  if (!locked) return null
  return (
    <p class="field-help setting-lock">
      <Icon node={Lock} size={13} /> {locked}
    </p>
  )
}

/** The common attributes of controls. */
export function controlProps({ name, locked }: { name: string; locked?: string | undefined }) {
  return {
    id: fieldId(name),
    disabled: locked !== undefined,
    'aria-describedby': noteId(name),
  }
}

/** The state of saving, in a word, also for screen readers. */
export function SaveNote({ status }: { readonly status: SaveStatus }) {
  return (
    <span class="save-note" role="status">
      {status.kind === 'saving' && t('Saving…')}
      {status.kind === 'saved' && (
        <>
          <Icon node={Check} size={14} /> {t('Saved')}
        </>
      )}
    </span>
  )
}
