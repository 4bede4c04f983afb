import { type ComposedKey, isFinishing } from '#client/ui/finishing.ts'
import { type Text, text, texts } from '#translations/translate.ts'

/**
 * Every key of the client, once: this table binds them, and the sheet of keys lists it. Chords are
 * written as in the sheet: `Shift+N`, `Ctrl+K`, `?`. `Ctrl` stands for Command on a Mac as well.
 */

/**
 * Where a key works: `anywhere`, while typing as well; `view` while not typing; `messages` in views of
 * messages, and `list` in those of rows, both while not typing; `compose` in the compose box.
 */
export type Context = 'anywhere' | 'view' | 'messages' | 'list' | 'compose'

/** The parts of the sheet, in its order. */
export const sections = texts({
  general: 'General',
  go: 'Go to',
  move: 'Move',
  message: 'The selected message',
  compose: 'Write',
})

export type Section = keyof typeof sections

interface Definition {
  readonly command: string
  readonly keys: readonly string[]
  readonly context: Context
  readonly section: Section
  /** English, for `t()`. */
  readonly description: Text
}

const table = [
  bind('show-keys', ['?'], 'view', 'general', text('Show the keys')),
  bind('search', ['/'], 'view', 'general', text('Search messages')),
  bind(
    'switch',
    ['Ctrl+K'],
    'anywhere',
    'general',
    text('Jump to a person, channel, topic or setting'),
  ),
  bind('filter-channels', ['Q'], 'view', 'general', text('Filter channels')),
  bind('filter-people', ['W'], 'view', 'general', text('Filter people')),
  bind('escape', ['Escape', 'Ctrl+['], 'anywhere', 'general', text('Close, go back or go home')),
  bind('open-menu', ['G'], 'view', 'general', text('Open the main menu')),
  bind('set-status', ['Shift+Y'], 'view', 'general', text('Set your status')),

  bind('next-unread-topic', ['N'], 'view', 'go', text('Next unread topic')),
  bind('next-unread-followed', ['Shift+N'], 'view', 'go', text('Next unread followed topic')),
  bind('next-unread-direct', ['P'], 'view', 'go', text('Next unread direct messages')),
  bind('go-direct', ['Shift+P'], 'view', 'go', text('All direct messages')),
  bind('go-inbox', ['Shift+I'], 'view', 'go', text('Inbox')),
  bind('go-recent', ['T'], 'view', 'go', text('Recent conversations')),
  bind('go-feed', ['A'], 'view', 'go', text('Combined feed')),
  bind('go-starred', ['*'], 'view', 'go', text('Starred messages')),
  bind('go-drafts', ['D'], 'view', 'go', text('Drafts')),
  bind('previous-channel', ['Shift+A'], 'view', 'go', text('Previous channel')),
  bind('next-channel', ['Shift+D'], 'view', 'go', text('Next channel')),
  bind('go-wider', ['S'], 'messages', 'go', text('Switch between topic and channel feed')),
  bind('go-topics', ['Y'], 'view', 'go', text('List of topics in the channel')),
  bind('go-near', ['Z'], 'messages', 'go', text('Go to the conversation of the selected message')),

  bind('next-message', ['ArrowDown', 'J'], 'messages', 'move', text('Next message')),
  bind('previous-message', ['ArrowUp', 'K'], 'messages', 'move', text('Previous message')),
  bind('next-row', ['ArrowDown', 'J'], 'list', 'move', text('Next row in a list')),
  bind('previous-row', ['ArrowUp', 'K'], 'list', 'move', text('Previous row in a list')),
  bind('row-left', ['ArrowLeft', 'H'], 'list', 'move', text('Left in a list row')),
  bind('row-right', ['ArrowRight', 'L'], 'list', 'move', text('Right in a list row')),
  bind('page-up', ['PageUp', 'Shift+K', 'Shift+Space'], 'messages', 'move', text('A page up')),
  bind('page-down', ['PageDown', 'Shift+J', 'Space'], 'messages', 'move', text('A page down')),
  bind('first-message', ['Home'], 'messages', 'move', text('First message')),
  bind(
    'last-message',
    ['End', 'Shift+G'],
    'messages',
    'move',
    text('Newest message, and mark all as read'),
  ),

  bind('reply', ['R', 'Enter'], 'messages', 'message', text('Reply')),
  bind('reply-direct', ['Shift+R'], 'messages', 'message', text('Reply to the sender only')),
  bind('reply-mention', ['@'], 'messages', 'message', text('Reply and mention the sender')),
  bind('quote', ['>'], 'messages', 'message', text('Quote and reply')),
  bind('forward', ['<'], 'messages', 'message', text('Forward')),
  bind('message-menu', ['I'], 'messages', 'message', text('Open the menu')),
  bind('edit', ['E'], 'messages', 'message', text('Edit, or view source')),
  bind('move', ['M'], 'messages', 'message', text('Move messages or the topic')),
  bind('show-history', ['Shift+H'], 'messages', 'message', text('Show the edit history')),
  bind('show-receipts', ['Shift+V'], 'messages', 'message', text('Show who has read it')),
  bind('show-picture', ['V'], 'messages', 'message', text('View images')),
  bind('show-sender', ['U'], 'messages', 'message', text("Show the sender's card")),
  bind('react', [':'], 'messages', 'message', text('React with an emoji')),
  bind('react-first', ['='], 'messages', 'message', text('Add or remove the first reaction')),
  bind('react-thumbs-up', ['+'], 'messages', 'message', text('React with 👍')),
  bind('collapse', ['-'], 'messages', 'message', text('Collapse or expand the message')),
  bind('star', ['Ctrl+S'], 'messages', 'message', text('Star')),
  bind('mark-unread', ['Shift+U'], 'messages', 'message', text('Mark as unread from here')),
  bind('mute-topic', ['Shift+M'], 'messages', 'message', text('Mute or unmute the topic')),
  bind(
    'subscribe',
    ['Shift+S'],
    'messages',
    'message',
    text('Subscribe to or unsubscribe from the channel'),
  ),

  bind('compose-topic', ['C'], 'view', 'compose', text('New message to a topic')),
  bind('compose-direct', ['X'], 'view', 'compose', text('New direct message')),
  bind('edit-last', ['ArrowLeft'], 'messages', 'compose', text('Edit your last message')),
  bind('send', ['Ctrl+Enter'], 'compose', 'compose', text('Send')),
  bind('bold', ['Ctrl+B'], 'compose', 'compose', text('Bold')),
  bind('italic', ['Ctrl+I'], 'compose', 'compose', text('Italic')),
  bind('link', ['Ctrl+Shift+L'], 'compose', 'compose', text('Link')),
  bind('code', ['Ctrl+Shift+C'], 'compose', 'compose', text('Code')),
  bind('snippet', ["Ctrl+'"], 'compose', 'compose', text('Insert a saved snippet')),
  bind('preview', ['Alt+P'], 'compose', 'compose', text('Preview')),
  bind('go-to-target', ['Ctrl+.'], 'compose', 'compose', text('Go to the conversation')),
] as const

export type Command = (typeof table)[number]['command']

export interface Binding extends Definition {
  readonly command: Command
}

/** All bindings, in the order of the sheet. */
export const bindings: readonly Binding[] = table

function bind<C extends string>(
  command: C,
  keys: readonly string[],
  context: Context,
  section: Section,
  description: Text,
): Definition & { readonly command: C } {
  return { command, keys, context, section, description }
}

/** The relevant members of a keyboard event; a `KeyboardEvent` has all of them. */
export interface KeyPress extends ComposedKey {
  readonly key: string
  readonly code: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
  getModifierState?(name: string): boolean
}

/** The command of a key in any of the contexts, the first ones first; undefined for other keys. */
export function commandOf(pressed: KeyPress, contexts: readonly Context[]): Command | undefined {
  if (isFinishing(pressed)) return undefined
  for (const context of contexts) {
    const found = bindings.find(
      (binding) =>
        binding.context === context && binding.keys.some((chord) => isPressed(chord, pressed)),
    )
    if (found) return found.command
  }
  return undefined
}

/** Whether a chord such as `Ctrl+Shift+L` is what is pressed. */
function isPressed(chord: string, pressed: KeyPress): boolean {
  const { key, modifiers } = parsed(chord)
  // AltGr types characters, and says that Ctrl and Alt are pressed on some systems.
  const isGraph = pressed.getModifierState?.('AltGraph') ?? false
  const ctrl = !isGraph && (pressed.ctrlKey || pressed.metaKey)
  // The Option key of a Mac is AltGr as well, in Firefox.
  const alt = pressed.altKey && !(isGraph && pressed.ctrlKey)
  if (ctrl !== modifiers.includes('Ctrl') || alt !== modifiers.includes('Alt')) return false
  if (isSymbol(key)) return pressed.key === key || symbolAt(pressed) === key
  if (pressed.shiftKey !== modifiers.includes('Shift')) return false
  return keyOf(pressed) === key
}

/** The parts of a chord as keys are labelled: `['Ctrl', 'K']`, `['↑']`. */
export function chordLabels(chord: string): readonly string[] {
  const { key, modifiers } = parsed(chord)
  return [...modifiers, labels[key] ?? key]
}

/** The first key of a command, for a menu: `Shift U`. Undefined for commands without a key. */
export function keyHint(command: string): string | undefined {
  const first = bindings.find((binding) => binding.command === command)?.keys[0]
  return first && chordLabels(first).join(' ')
}

const labels: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
}

function parsed(chord: string): { readonly key: string; readonly modifiers: readonly string[] } {
  const [, prefix = '', key = ''] = /^((?:(?:Ctrl|Alt|Shift)\+)*)([\s\S]+)$/.exec(chord) ?? []
  return { key, modifiers: prefix.split('+').filter((each) => each !== '') }
}

/** Whether it is typed with Shift on some keyboards and without on others. */
function isSymbol(key: string): boolean {
  return key.length === 1 && !/[A-Z0-9]/.test(key)
}

/** A letter in upper case, or the name of the key; by its place where the layout has no Latin letter. */
function keyOf(pressed: KeyPress): string {
  const { key, code } = pressed
  if (key === ' ') return 'Space'
  if (/^[a-z]$/i.test(key)) return key.toUpperCase()
  const place = /^Key([A-Z])$/.exec(code)?.[1]
  // With Ctrl also where it types a symbol, as Shift does for several letters in Arabic.
  return place && (/[^ -~]/.test(key) || hasCtrl(pressed)) ? place : key
}

/** What an American keyboard has at the place, for keys that other scripts or accents took. */
function symbolAt(pressed: KeyPress): string | undefined {
  const { key, code, shiftKey } = pressed
  // Umlauts are at such places, and no commands. Dead keys wait for their letter.
  const isForeign = hasCtrl(pressed)
    ? key === 'Dead' || /[^ -~]/.test(key)
    : /^[^\p{Script=Latin}]/u.test(key) && /^[\p{L}\p{M}]/u.test(key)
  return isForeign ? symbols[code]?.[shiftKey ? 1 : 0] : undefined
}

const hasCtrl = ({ ctrlKey, metaKey }: KeyPress) => ctrlKey || metaKey

const symbols: Readonly<Record<string, string>> = {
  BracketLeft: '[{',
  Semicolon: ';:',
  Quote: '\'"',
  Comma: ',<',
  Period: '.>',
  Slash: '/?',
}
