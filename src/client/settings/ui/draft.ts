import { type Signal, signal } from '@preact/signals'
import { useMemo } from 'preact/hooks'

/** What somebody typed into a field and has not saved, with the value that it was typed over. */
export interface FieldDraft<T> {
  readonly typed: T
  readonly base: string
}

/** By field: a draft outlives its page, so that looking into another section loses nothing. */
const drafts = new Map<string, Signal<FieldDraft<unknown> | undefined>>()

/** The draft of a field. @param key names the field, and whose it is where there are several */
export function useDraft<T>(key: string): Signal<FieldDraft<T> | undefined> {
  return useMemo(() => {
    const known = drafts.get(key) ?? signal<FieldDraft<unknown> | undefined>(undefined)
    drafts.set(key, known)
    return known as Signal<FieldDraft<T> | undefined>
  }, [key])
}

/** A value as text, to tell whether it has changed. */
export const fingerprint = (value: unknown) => JSON.stringify(value) ?? ''
