import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { commandOf } from '#client/commands/key-bindings.ts'
import { isFinishing } from '#client/ui/finishing.ts'
import { editing } from './editing.ts'

/** What waits: an event that is sent again, or a change that the browser would have made. */
type Held =
  | KeyboardEvent
  | ClipboardEvent
  | { readonly insert: string }
  | { readonly command: string }

/**
 * Keeps what is written in a box that does not have all of its code yet. Text goes into the box
 * immediately, and Enter sends it. What means more waits until the rest is loaded, with all that follows it, in order.
 */
export function useEarlyInput(area: RefObject<HTMLTextAreaElement | null>): void {
  useLayoutEffect(() => {
    if (!area.current || editing.peek()) return
    const early = new EarlyInput(area.current)
    return () => early.stop()
  }, [])
}

class EarlyInput {
  readonly #area: HTMLTextAreaElement
  readonly #end = new AbortController()
  readonly #held: Held[] = []
  #isPlaying = false
  /** Set while something is done that was held. */
  #isOwn = false
  #isComposing = false

  constructor(area: HTMLTextAreaElement) {
    this.#area = area
    this.#on('focus', () => editing.preload())
    this.#on('keydown', (event) => this.#takeKey(event))
    this.#on('beforeinput', (event) => this.#takeInput(event))
    this.#on('paste', (event) => this.#takePaste(event))
    this.#on('compositionstart', () => {
      this.#isComposing = true
    })
    this.#on('compositionend', (event) => this.#takeComposed(event))
  }

  stop(): void {
    this.#end.abort()
  }

  get #isWaiting(): boolean {
    return this.#held.length > 0 || this.#isPlaying
  }

  #on<K extends keyof HTMLElementEventMap>(
    type: K,
    listen: (event: HTMLElementEventMap[K]) => void,
  ): void {
    const { signal } = this.#end
    const heard = (event: HTMLElementEventMap[K]) => {
      if (this.#isOwn) return
      if (editing.peek() && !this.#isWaiting) this.stop()
      else listen(event)
    }
    this.#area.addEventListener(type, heard, { capture: true, signal })
  }

  #hold(event: Event, item: Held): void {
    event.preventDefault()
    event.stopImmediatePropagation()
    this.#held.push(item)
    this.#playLoaded()
  }

  #playLoaded(): void {
    const play = () => void this.#play()
    // Without the rest, the box still takes text and sends it.
    editing.load().then(play, play)
  }

  #takeKey(event: KeyboardEvent): void {
    editing.preload()
    if (isFinishing(event)) return
    const isBehind = this.#isWaiting && !isText(event)
    if (isBehind || meansMore(event, this.#area))
      this.#hold(event, new KeyboardEvent('keydown', event))
  }

  /** What follows something that waits. */
  #takeInput(event: InputEvent): void {
    const { inputType, data, cancelable } = event
    if (!this.#isWaiting || !cancelable) return
    if (inputType === 'insertText' && data !== null) this.#hold(event, { insert: data })
    else if (inputType === 'insertLineBreak') this.#hold(event, { insert: '\n' })
    else if (inputType === 'deleteContentBackward') this.#hold(event, { command: 'delete' })
    else if (inputType === 'deleteContentForward') this.#hold(event, { command: 'forwardDelete' })
  }

  #takePaste(event: ClipboardEvent): void {
    const { clipboardData: data } = event
    if (!data) return
    const isCaret = this.#area.selectionStart === this.#area.selectionEnd
    const isPlain = data.types.every((type) => type === 'text/plain')
    if (!this.#isWaiting && isCaret && isPlain && isOnlyWords(this.#area.value)) return
    const options = { bubbles: true, cancelable: true, clipboardData: copyOf(data) }
    this.#hold(event, new ClipboardEvent('paste', options))
  }

  /** An input method cannot be held up: what it has written is taken out again. */
  #takeComposed({ data }: CompositionEvent): void {
    const { value, selectionEnd: to } = this.#area
    const from = to - data.length
    const isTaken = this.#isWaiting && data !== '' && value.slice(from, to) === data
    if (isTaken) this.#held.push({ insert: data })
    // Not while the browser ends the composition.
    setTimeout(() => {
      this.#isComposing = false
      if (!isTaken) return
      this.#area.setRangeText('', from, to, 'end')
      this.#area.dispatchEvent(new InputEvent('input', { bubbles: true }))
      this.#playLoaded()
    })
  }

  async #play(): Promise<void> {
    if (this.#isPlaying || this.#isComposing) return
    this.#isPlaying = true
    for (let next = this.#held.shift(); next; next = this.#held.shift()) {
      this.#isOwn = true
      playIn(this.#area, next)
      this.#isOwn = false
      // The box shows what it has done, as between two keys.
      await new Promise((resolve) => setTimeout(resolve))
    }
    this.#isPlaying = false
    if (editing.peek()) this.stop()
  }
}

function playIn(area: HTMLTextAreaElement, item: Held): void {
  if ('insert' in item) insert(area, item.insert)
  else if ('command' in item) document.execCommand(item.command)
  else if (!area.dispatchEvent(item)) return
  else if (item instanceof KeyboardEvent) insert(area, item.key === 'Enter' ? '\n' : '')
  else insert(area, (item.clipboardData?.getData('text/plain') ?? '').replace(/\r\n?/g, '\n'))
}

/** As from the keyboard, so that it can be undone. */
function insert(area: HTMLTextAreaElement, text: string): void {
  if (text === '') return
  const isHere = area === document.activeElement
  if (isHere && document.execCommand('insertText', false, text)) return
  area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end')
  area.dispatchEvent(new InputEvent('input', { bubbles: true }))
}

/** The data of an event is gone after it. */
function copyOf(data: DataTransfer): DataTransfer {
  const copy = new DataTransfer()
  for (const type of data.types) if (type !== 'Files') copy.setData(type, data.getData(type))
  for (const file of data.files) copy.items.add(file)
  return copy
}

/** Whether a key writes or deletes text, which the box tells of itself, or does nothing alone. */
const isText = ({ key }: KeyboardEvent) =>
  key.length === 1 ||
  /^(?:Dead|Process|Unidentified|Backspace|Delete|Shift|Control|Alt|AltGraph|Meta|CapsLock)$/.test(
    key,
  )

const formats = ['bold', 'italic', 'link', 'code']

/** Whether a key needs what is not loaded yet. */
function meansMore(event: KeyboardEvent, area: HTMLTextAreaElement): boolean {
  if (event.key === 'Enter') return !isOnlyWords(area.value)
  // It may take a suggestion.
  if (event.key === 'Tab') {
    const words = area.value.slice(0, area.selectionStart).split(/\s/)
    return /[@#:/~`<]/.test(words.at(-1) ?? '')
  }
  return formats.includes(commandOf(event, ['compose']) ?? '')
}

/** Whether a text has nothing that Enter or a paste would look at: no list, block, code or name. */
const isOnlyWords = (text: string) => !/[@#:/~`<$]|^[ \t]*(?:[-*+>]|\d+[.)])/m.test(text)
