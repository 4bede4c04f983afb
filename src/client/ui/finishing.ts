/**
 * Whether a key belongs to an input method, such as the Enter that takes a candidate. Every handler asks
 * this before it looks at a key.
 *
 * Chromium and Firefox say `isComposing`. WebKit ends the composition before it reports the key, and tells
 * it by the code of keys that an input method has taken.
 *
 * @source WebKit bug 165004; UI Events, 7.3.1 "How to determine keyCode for keydown and keyup events"
 */
export function isFinishing({ isComposing, keyCode }: ComposedKey): boolean {
  return isComposing === true || keyCode === 229
}

/** The relevant members of a keyboard event; a `KeyboardEvent` has all of them. */
export interface ComposedKey {
  readonly isComposing?: boolean
  readonly keyCode?: number
}
