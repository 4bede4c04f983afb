import type { QueueTraits, VariantEvent, WireEvent } from './types.ts'

/** Whether a client asks for what the announced feature level lacks. */
export function isExtended({ capabilities }: Pick<QueueTraits, 'capabilities'>): boolean {
  return capabilities.has('extended_members')
}

/**
 * An event whose form depends on the capability `extended_members`.
 *
 * @param extended for clients that have it
 * @param plain for the others; undefined: they get no event
 */
export function extendedEvent(extended: WireEvent, plain: WireEvent | undefined): VariantEvent {
  return {
    type: extended.type,
    variant: ({ traits }) => (isExtended(traits) ? 'extended' : plain && 'plain'),
    build: (key) => (key === 'extended' || !plain ? extended : plain),
  }
}

/** An object without these members. */
export function without<T extends object, N extends string>(
  object: T,
  names: readonly N[],
): Omit<T, N> {
  const kept = Object.entries(object).filter(([name]) => !names.includes(name as N))
  return Object.fromEntries(kept) as Omit<T, N>
}
