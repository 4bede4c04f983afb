/*
 * Every key of the client, once: this table binds them, and the sheet of keys shows it. A chord is
 * written as the sheet shows it: `Shift+N`, `Ctrl+K`, `?`. `Ctrl` stands for Command on a Mac, too.
 */

/**
 * Where a key works: `anywhere`, while typing, too; `view` while not typing; `messages` in views of
 * messages, and `list` in those of rows, both while not typing; `compose` in the compose box.
 */
export type Context = 'anywhere' | 'view' | 'messages' | 'list' | 'compose'

/** The parts of the sheet, in its order. */
export const sections = {
  general: 'General',
  go: 'Go to',
  move: 'Move',
  message: 'The selected message',
  compose: 'Write',
} as const

export type Section = keyof typeof sections

interface Definition {
  readonly command: string
  readonly keys: readonly string[]
  readonly context: Context
  readonly section: Section
  /** English, for `t()`. */
  readonly description: string
}

const table = [
  bind('show-keys', ['?'], 'view', 'general', 'Show the keys'),
  bind('search', ['/'], 'view', 'general', 'Search messages'),
  bind('switch', ['Ctrl+K'], 'anywhere', 'general', 'Jump to a person, channel, topic or setting'),
  bind('filter-channels', ['Q'], 'view', 'general', 'Filter channels'),
  bind('filter-people', ['W'], 'view', 'general', 'Filter people'),
  bind('escape', ['Escape', 'Ctrl+['], 'anywhere', 'general', 'Close, go back or go home'),
  bind('open-menu', ['G'], 'view', 'general', 'Open the main menu'),
  bind('set-status', ['Shift+Y'], 'view', 'general', 'Set your status'),

  bind('next-unread-topic', ['N'], 'view', 'go', 'Next unread topic'),
  bind('next-unread-followed', ['Shift+N'], 'view', 'go', 'Next unread followed topic'),
  bind('next-unread-direct', ['P'], 'view', 'go', 'Next unread direct messages'),
  bind('go-direct', ['Shift+P'], 'view', 'go', 'All direct messages'),
  bind('go-inbox', ['Shift+I'], 'view', 'go', 'Inbox'),
  bind('go-recent', ['T'], 'view', 'go', 'Recent conversations'),
  bind('go-feed', ['A'], 'view', 'go', 'Combined feed'),
  bind('go-starred', ['*'], 'view', 'go', 'Starred messages'),
  bind('go-drafts', ['D'], 'view', 'go', 'Drafts'),
  bind('previous-channel', ['Shift+A'], 'view', 'go', 'Previous channel'),
  bind('next-channel', ['Shift+D'], 'view', 'go', 'Next channel'),
  bind('go-wider', ['S'], 'messages', 'go', 'From the topic to its channel, and back'),
  bind('go-topics', ['Y'], 'view', 'go', 'List of topics of the channel'),
  bind('go-near', ['Z'], 'messages', 'go', 'The selected message in its conversation'),

  bind('next-message', ['ArrowDown', 'J'], 'messages', 'move', 'Next message'),
  bind('previous-message', ['ArrowUp', 'K'], 'messages', 'move', 'Previous message'),
  bind('next-row', ['ArrowDown', 'J'], 'list', 'move', 'Next row of a list'),
  bind('previous-row', ['ArrowUp', 'K'], 'list', 'move', 'Previous row of a list'),
  bind('row-left', ['ArrowLeft', 'H'], 'list', 'move', 'Left in a row of a list'),
  bind('row-right', ['ArrowRight', 'L'], 'list', 'move', 'Right in a row of a list'),
  bind('page-up', ['PageUp', 'Shift+K', 'Shift+Space'], 'messages', 'move', 'A page up'),
  bind('page-down', ['PageDown', 'Shift+J', 'Space'], 'messages', 'move', 'A page down'),
  bind('first-message', ['Home'], 'messages', 'move', 'First message'),
  bind('last-message', ['End', 'Shift+G'], 'messages', 'move', 'Newest message; reads all'),

  bind('reply', ['R', 'Enter'], 'messages', 'message', 'Reply'),
  bind('reply-direct', ['Shift+R'], 'messages', 'message', 'Reply to the sender only'),
  bind('reply-mention', ['@'], 'messages', 'message', 'Reply and mention the sender'),
  bind('quote', ['>'], 'messages', 'message', 'Quote and reply'),
  bind('forward', ['<'], 'messages', 'message', 'Forward'),
  bind('message-menu', ['I'], 'messages', 'message', 'Open the menu'),
  bind('edit', ['E'], 'messages', 'message', 'Edit, or view the source'),
  bind('move', ['M'], 'messages', 'message', 'Move messages or the topic'),
  bind('show-history', ['Shift+H'], 'messages', 'message', 'Show the edit history'),
  bind('show-receipts', ['Shift+V'], 'messages', 'message', 'Show who has read it'),
  bind('show-picture', ['V'], 'messages', 'message', 'Show its pictures'),
  bind('show-sender', ['U'], 'messages', 'message', "Show the sender's card"),
  bind('react', [':'], 'messages', 'message', 'React with an emoji'),
  bind('react-first', ['='], 'messages', 'message', 'React with its first reaction'),
  bind('react-thumbs-up', ['+'], 'messages', 'message', 'React with 👍'),
  bind('collapse', ['-'], 'messages', 'message', 'Collapse or show it'),
  bind('star', ['Ctrl+S'], 'messages', 'message', 'Star'),
  bind('mark-unread', ['Shift+U'], 'messages', 'message', 'Mark as unread from here'),
  bind('mute-topic', ['Shift+M'], 'messages', 'message', 'Mute or unmute the topic'),
  bind(
    'subscribe',
    ['Shift+S'],
    'messages',
    'message',
    'Subscribe to the channel, or the opposite',
  ),

  bind('compose-topic', ['C'], 'view', 'compose', 'New message to a topic'),
  bind('compose-direct', ['X'], 'view', 'compose', 'New direct message'),
  bind('edit-last', ['ArrowLeft'], 'messages', 'compose', 'Edit your last message'),
  bind('send', ['Ctrl+Enter'], 'compose', 'compose', 'Send'),
  bind('bold', ['Ctrl+B'], 'compose', 'compose', 'Bold'),
  bind('italic', ['Ctrl+I'], 'compose', 'compose', 'Italic'),
  bind('link', ['Ctrl+Shift+L'], 'compose', 'compose', 'Link'),
  bind('code', ['Ctrl+Shift+C'], 'compose', 'compose', 'Code'),
  bind('snippet', ["Ctrl+'"], 'compose', 'compose', 'Insert a saved snippet'),
  bind('preview', ['Alt+P'], 'compose', 'compose', 'Preview'),
  bind('go-to-target', ['Ctrl+.'], 'compose', 'compose', 'Go to the conversation'),
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
  description: string,
): Definition & { readonly command: C } {
  return { command, keys, context, section, description }
}

/** What of a keyboard event decides; a `KeyboardEvent` has it all. */
export interface Pressed {
  readonly key: string
  readonly code: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
  getModifierState?(name: string): boolean
}

/** The command of a key in any of the contexts, the first ones first; undefined for other keys. */
export function commandOf(pressed: Pressed, contexts: readonly Context[]): Command | undefined {
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
export function isPressed(chord: string, pressed: Pressed): boolean {
  const { key, modifiers } = parsed(chord)
  // AltGr types characters, and says that Ctrl and Alt are pressed on some systems.
  const isGraph = pressed.getModifierState?.('AltGraph') ?? false
  const ctrl = !isGraph && (pressed.ctrlKey || pressed.metaKey)
  const alt = !isGraph && pressed.altKey
  if (ctrl !== modifiers.includes('Ctrl') || alt !== modifiers.includes('Alt')) return false
  if (isSymbol(key)) return pressed.key === key
  if (pressed.shiftKey !== modifiers.includes('Shift')) return false
  return keyOf(pressed) === key
}

/** The parts of a chord as keys are labelled: `['Ctrl', 'K']`, `['↑']`. */
export function chordLabels(chord: string): readonly string[] {
  const { key, modifiers } = parsed(chord)
  return [...modifiers, labels[key] ?? key]
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
  const [, prefix = '', key = ''] = /^((?:(?:Ctrl|Alt|Shift)\+)*)(.+)$/.exec(chord) ?? []
  return { key, modifiers: prefix.split('+').filter((each) => each !== '') }
}

/** Whether it is typed with Shift on some keyboards and without on others. */
function isSymbol(key: string): boolean {
  return key.length === 1 && !/[A-Z0-9]/.test(key)
}

/** A letter in upper case, or the name of the key; by its place on layouts without Latin letters. */
function keyOf({ key, code }: Pressed): string {
  if (key === ' ') return 'Space'
  if (key.length > 1) return key
  if (/^[a-z]$/i.test(key)) return key.toUpperCase()
  const isLatin = (key.codePointAt(0) ?? 0) < 128
  return isLatin ? key : (/^Key([A-Z])$/.exec(code)?.[1] ?? key)
}
