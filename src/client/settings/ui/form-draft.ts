import { fingerprint, useDraft } from './draft.ts'

/** What a form dialog holds. */
export interface FormDraft<V extends object> {
  /** What was typed, or what the object of the form has as long as nothing was. */
  readonly values: V
  /** Whether the object was changed since something was typed. */
  readonly isOvertaken: boolean
  /** What a field calls with its value. */
  set<K extends keyof V>(field: K): (value: V[K]) => void
  change(part: Partial<V>): void
  clear(): void
}

/**
 * The values of a form dialog, which outlast a reload until the form is saved or closed. They must
 * be JSON: no files, and no secrets, which are not to be written anywhere.
 *
 * @param key names the form and its object, such as `folder 3`
 * @param now the values of the object, or those that a new one begins with
 */
export function useFormDraft<V extends object>(key: string, now: V): FormDraft<V> {
  const draft = useDraft<V>(`dialog: ${key}`)
  const change = (part: Partial<V>) => {
    const { typed = now, base = fingerprint(now) } = draft.peek() ?? {}
    draft.value = { typed: { ...typed, ...part }, base }
  }
  return {
    // A field that did not exist yet when the draft was kept has its value.
    values: { ...now, ...draft.value?.typed },
    isOvertaken: draft.value !== undefined && draft.value.base !== fingerprint(now),
    set: (field) => (value) => change({ [field]: value } as unknown as Partial<V>),
    change,
    clear() {
      draft.value = undefined
    },
  }
}
