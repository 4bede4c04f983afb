import type { Signal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { tabValues } from '#client/ui/browser-storage.ts'
import { createFormDrafts, type FieldDraft, type FormDrafts } from './form-drafts.ts'

/** By user: the page is reloaded for another one, but tests are not. */
const known = new Map<number, FormDrafts>()

function draftsOf(userId: number): FormDrafts {
  const drafts = known.get(userId) ?? createFormDrafts(tabValues, `parley:forms:${userId}`)
  known.set(userId, drafts)
  return drafts
}

/** The draft of a field. @param key names the field, and its object if there are several */
export function useDraft<T>(key: string): Signal<FieldDraft<T> | undefined> {
  const { selfId } = useApp().store
  return useMemo(() => draftsOf(selfId).of<T>(key), [selfId, key])
}

/** A value as text, to tell whether it has changed. */
export const fingerprint = (value: unknown) => JSON.stringify(value) ?? ''
