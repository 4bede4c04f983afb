import { fingerprint, useDraft } from './draft.ts'

/** The fields whose value is a `T`. */
type FieldOf<V, T> = { [K in keyof V]: V[K] extends T ? K : never }[keyof V]

/** The values of a form. */
export interface FormDraft<V extends object> {
  /** The typed value, or else the value of the form's object. */
  readonly values: V
  /** Whether the object was changed since something was typed. */
  readonly isOvertaken: boolean
  /** What a field calls with its value. */
  set<K extends keyof V>(field: K): (value: V[K]) => void
  /** The value of a text field, and what it calls with a new one. */
  text(field: FieldOf<V, string>): { value: string; onInput: (value: string) => void }
  /** The same for a switch. */
  check(field: FieldOf<V, boolean>): {
    isChecked: boolean
    onChange: (isChecked: boolean) => void
  }
  /** The same for one of several values. */
  choice<K extends keyof V>(field: K): { value: V[K]; onChange: (value: V[K]) => void }
  change(part: Partial<V>): void
  clear(): void
}

/**
 * The values of a form, which outlast a reload until they are cleared: when a dialog is saved or
 * closed. They must be JSON: no files, and no secrets, which must not be stored.
 *
 * @param key names the form and its object, such as `folder 3`
 * @param now the values of the object, or the defaults of a new one
 * @param onChange called when something is typed or chosen
 */
export function useFormDraft<V extends object>(
  key: string,
  now: V,
  onChange?: () => void,
): FormDraft<V> {
  const draft = useDraft<V>(`dialog: ${key}`)
  const change = (part: Partial<V>) => {
    onChange?.()
    const { typed = now, base = fingerprint(now) } = draft.peek() ?? {}
    draft.value = { typed: { ...typed, ...part }, base }
  }
  // A field that did not exist yet when the draft was kept has its value.
  const values = { ...now, ...draft.value?.typed }
  const set =
    <K extends keyof V>(field: K) =>
    (value: V[K]) =>
      change({ [field]: value } as unknown as Partial<V>)
  return {
    values,
    isOvertaken: draft.value !== undefined && draft.value.base !== fingerprint(now),
    set,
    text: (field) => ({
      value: values[field] as string,
      onInput: set(field) as (value: string) => void,
    }),
    check: (field) => ({
      isChecked: values[field] as boolean,
      onChange: set(field) as (value: boolean) => void,
    }),
    choice: (field) => ({ value: values[field], onChange: set(field) }),
    change,
    clear() {
      draft.value = undefined
    },
  }
}
