import { fingerprint, useDraft } from './draft.ts'

type TextField<V> = { [K in keyof V]: V[K] extends string ? K : never }[keyof V]

/** The values of a form dialog. */
export interface FormDraft<V extends object> {
  /** The typed value, or else the value of the form's object. */
  readonly values: V
  /** Whether the object was changed since something was typed. */
  readonly isOvertaken: boolean
  /** What a field calls with its value. */
  set<K extends keyof V>(field: K): (value: V[K]) => void
  /** The value of a text field, and what it calls with a new one. */
  text<K extends TextField<V>>(field: K): { value: string; onInput: (value: string) => void }
  change(part: Partial<V>): void
  clear(): void
}

/**
 * The values of a form dialog, which outlast a reload until the form is saved or closed. They must
 * be JSON: no files, and no secrets, which must not be stored.
 *
 * @param key names the form and its object, such as `folder 3`
 * @param now the values of the object, or the defaults of a new one
 */
export function useFormDraft<V extends object>(key: string, now: V): FormDraft<V> {
  const draft = useDraft<V>(`dialog: ${key}`)
  const change = (part: Partial<V>) => {
    const { typed = now, base = fingerprint(now) } = draft.peek() ?? {}
    draft.value = { typed: { ...typed, ...part }, base }
  }
  // A field that did not exist yet when the draft was kept has its value.
  const values = { ...now, ...draft.value?.typed }
  return {
    values,
    isOvertaken: draft.value !== undefined && draft.value.base !== fingerprint(now),
    set: (field) => (value) => change({ [field]: value } as unknown as Partial<V>),
    text: (field) => ({
      value: values[field] as string,
      onInput: (value) => change({ [field]: value } as unknown as Partial<V>),
    }),
    change,
    clear() {
      draft.value = undefined
    },
  }
}
