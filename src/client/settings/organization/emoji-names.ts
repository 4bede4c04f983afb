import { t } from '#client/ui/t.ts'

/** A name of a custom emoji as the server keeps it. */
export function customName(typed: string): string {
  return typed.trim().toLowerCase().replaceAll(' ', '_')
}

interface NameFacts {
  /** Whether another custom emoji has the name. */
  readonly isTaken: boolean
  /** The emoji of Unicode that has it. */
  readonly builtIn: { readonly text?: string } | undefined
  readonly isAdministrator: boolean
}

interface NameCheck {
  readonly note: string | undefined
  /** Why it cannot be used. */
  readonly problem: string | undefined
}

/** The hint about the name of a new emoji while it is typed. */
export function nameCheck(name: string, facts: NameFacts): NameCheck {
  const { isTaken, builtIn, isAdministrator } = facts
  if (name === '') return { note: t('People write it between colons.'), problem: undefined }
  const note = t('People write :{name}:', { name })
  if (isTaken) return { note, problem: t('There is already a custom emoji with this name.') }
  if (!builtIn) return { note, problem: undefined }
  const emoji = builtIn.text ?? ''
  return isAdministrator
    ? {
        note: t('This replaces the emoji {emoji} of the same name.', { emoji }),
        problem: undefined,
      }
    : { note, problem: t('Only administrators can replace the emoji {emoji}.', { emoji }) }
}
