import { useApp } from '#client/app-context.ts'
import {
  type Binding,
  bindings,
  chordLabels,
  type Section,
  sections,
} from '#client/commands/key-bindings.ts'
import type { OperatorName } from '#client/narrow/operators.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { t } from '#client/ui/t.ts'
import { type Text, text, texts } from '#translations/translate.ts'

export type SheetKind = 'keyboard-shortcuts' | 'message-formatting' | 'search-operators'

interface HelpSheetProps {
  readonly kind: SheetKind
  readonly onClose: () => void
}

const titles: Readonly<Record<SheetKind, Text>> = texts({
  'keyboard-shortcuts': 'Keyboard shortcuts',
  'message-formatting': 'Message formatting',
  'search-operators': 'Search filters',
})

/** Keys, formatting and search filters. */
export function HelpSheet({ kind, onClose }: HelpSheetProps) {
  const app = useApp()
  const kinds = Object.keys(titles) as SheetKind[]
  return (
    <Dialog title={t(titles[kind])} size="wide" isAddressed onClose={onClose}>
      <nav class="cluster tight sheet-tabs" aria-label={t('Help')}>
        {kinds.map((each) => (
          <a
            key={each}
            class="row sheet-tab"
            href={app.router.href({ kind: each })}
            aria-current={each === kind ? 'page' : undefined}
          >
            {t(titles[each])}
          </a>
        ))}
        <a class="row sheet-tab" href="/help/" target="_blank" rel="noopener">
          {t('Help center')}
        </a>
      </nav>
      {kind === 'keyboard-shortcuts' && <Keys />}
      {kind === 'message-formatting' && <Examples rows={formatting} />}
      {kind === 'search-operators' && (
        <Examples rows={[...Object.values(filters).flat(), ...negation]} />
      )}
    </Dialog>
  )
}

function Keys() {
  const names = Object.keys(sections) as Section[]
  return (
    <div class="sheet-keys">
      {names.map((name) => (
        <section key={name}>
          <h3>{t(sections[name])}</h3>
          <dl>
            {bindings
              .filter(({ section }) => section === name)
              .map((binding) => (
                <KeyLine key={binding.command + binding.context} binding={binding} />
              ))}
          </dl>
        </section>
      ))}
    </div>
  )
}

function KeyLine({ binding }: { readonly binding: Binding }) {
  return (
    <div class="sheet-line">
      <dt>{t(binding.description)}</dt>
      <dd>
        {binding.keys.map((chord, index) => (
          <span key={chord} class="row chord">
            {index > 0 && <span class="chord-or">{t('or')}</span>}
            {chordLabels(chord).map((label) => (
              <kbd key={label}>{label}</kbd>
            ))}
          </span>
        ))}
      </dd>
    </div>
  )
}

/** Texts as typed, and what they mean. */
type Rows = readonly (readonly [string, Text])[]

function Examples({ rows }: { readonly rows: Rows }) {
  return (
    <table class="sheet-table">
      <tbody>
        {rows.map(([written, meaning]) => (
          <tr key={written}>
            <td>
              <code>{written}</code>
            </td>
            <td>{t(meaning)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const formatting = [
  ['*italic*', text('Italic')],
  ['**bold**', text('Bold')],
  ['~~gone~~', text('Strikethrough')],
  ['[Parley](https://example.com)', text('A link with a name')],
  ['- item', text('A bulleted list; use numbers for a numbered list')],
  ['> quoted', text('A quote; or put several lines between ```quote and ```')],
  ['`code`', text('Inline code')],
  ['```python', text('A code block with syntax highlighting, ended by ```')],
  ['```spoiler Heading', text('Text that is hidden until clicked, ended by ```')],
  ['$$e = mc^2$$', text('A formula; or put several lines between ```math and ```')],
  [':octopus:', text('An emoji')],
  ['@**Ada Lovelace**', text('Mentions someone; @_** does so without notifying them')],
  ['@*team*', text('Mentions a group')],
  ['@**all**', text('Notifies everyone in the channel; @**topic** notifies those in the topic')],
  ['#**channel**', text('Links to a channel; #**channel>topic** to a topic')],
  ['<time:2030-05-24T15:30:00+02:00>', text('A time, shown to everyone in their own time zone')],
  ['| a | b |', text('A table row; the second row is | --- | --- |')],
  ['# Heading', text('A heading')],
  ['---', text('A horizontal line')],
  ['/me waves', text('Says what you are doing')],
  ['/poll Lunch?', text('A poll; each following line is an option')],
  ['/todo List', text('A to-do list; each following line is a task')],
] as const

/** The examples of each search filter, in the order of the sheet. */
const filters: Readonly<Record<OperatorName, Rows>> = {
  search: [
    ['words', text('Messages with all these words')],
    ['"several words"', text('Messages with exactly these words')],
  ],
  channel: [['channel:design', text('In a channel')]],
  topic: [['topic:"new logo"', text('In a topic')]],
  dm: [['dm:Ada', text('In direct messages with someone; separate several names with commas')]],
  'dm-including': [['dm-including:Ada', text('In any direct messages that include someone')]],
  sender: [['sender:me', text('Sent by someone; “me” is you')]],
  is: [
    ['is:dm', text('Direct messages')],
    ['is:mentioned', text('Messages that mention you')],
    ['is:starred', text('Messages that you starred')],
    ['is:unread', text('Unread messages')],
    ['is:followed', text('Messages in topics that you follow')],
    ['is:resolved', text('Messages in resolved topics')],
    ['is:alerted', text('Messages with one of your alert words')],
  ],
  has: [['has:link', text('With a link; has:image, has:attachment and has:reaction also work')]],
  after: [['after:2030-05-24', text('Sent on that day or later')]],
  before: [['before:2030-05-24', text('Sent before that day')]],
  channels: [['channels:public', text('In all public channels')]],
  near: [['near:12345', text('Around a message')]],
  id: [['id:12345', text('One message')]],
  with: [],
}

const negation: Rows = [['-topic:lunch', text('A minus excludes what comes after it')]]
