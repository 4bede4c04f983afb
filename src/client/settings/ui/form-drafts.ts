import { type Signal, signal } from '@preact/signals-core'
import type { KeyValues } from '#client/ui/browser-storage.ts'

/** An unsaved value of a field, with the value that it replaces. */
export interface FieldDraft<T> {
  readonly typed: T
  /** A `fingerprint` of that value. */
  readonly base: string
}

export interface FormDrafts {
  /** The draft of a field. @param key names the field, and its object if there are several */
  of<T>(key: string): Signal<FieldDraft<T> | undefined>
}

type Kept = Readonly<Record<string, FieldDraft<unknown>>>

/**
 * The unsaved texts of all forms of a user, kept in the browser: they outlast their page and a
 * reload. They must be JSON.
 *
 * @param name of the entry in the storage
 */
export function createFormDrafts(storage: KeyValues, name: string): FormDrafts {
  const drafts = new Map<string, Signal<FieldDraft<unknown> | undefined>>()
  let kept = read(storage, name)

  function keep(key: string, draft: FieldDraft<unknown> | undefined): void {
    if (draft === kept[key]) return
    const { [key]: _, ...others } = kept
    kept = draft ? { ...others, [key]: draft } : others
    try {
      if (Object.keys(kept).length === 0) storage.removeItem(name)
      else storage.setItem(name, JSON.stringify(kept))
    } catch {
      // The storage is full or turned off: what was typed is in memory only.
    }
  }

  return {
    of<T>(key: string) {
      let draft = drafts.get(key)
      if (!draft) {
        draft = signal(kept[key])
        drafts.set(key, draft)
        draft.subscribe((value) => keep(key, value))
      }
      return draft as Signal<FieldDraft<T> | undefined>
    },
  }
}

function read(storage: KeyValues, name: string): Kept {
  try {
    const found: unknown = JSON.parse(storage.getItem(name) ?? '{}')
    if (typeof found !== 'object' || found === null) return {}
    const entries = Object.entries(found as Kept)
    return Object.fromEntries(entries.filter(([, draft]) => typeof draft?.base === 'string'))
  } catch {
    return {}
  }
}
