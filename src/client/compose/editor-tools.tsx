import { signal } from '@preact/signals'
import {
  Bold,
  CaseSensitive,
  Code,
  EyeOff,
  Italic,
  Link,
  List,
  ListOrdered,
  Paperclip,
  Plus,
  Sigma,
  Strikethrough,
  TextQuote,
} from 'lucide'
import { useRef } from 'preact/hooks'
import { openMenu } from '#client/commands/open-menu.tsx'
import { localValues } from '#client/ui/browser-storage.ts'
import { IconButton } from '#client/ui/button.tsx'
import type { IconNode } from '#client/ui/icon.tsx'
import { pointing } from '#client/ui/icon.tsx'
import type { MenuItem } from '#client/ui/menu.tsx'
import { t } from '#client/ui/t.ts'
import { type Text, text } from '#translations/translate.ts'
import type { Format } from './formatting.ts'

const quoteIcon = pointing(TextQuote)
const bulletsIcon = pointing(List)

const formats: readonly {
  readonly kind: Format
  readonly label: Text
  readonly icon: IconNode
  readonly hint?: string
}[] = [
  { kind: 'bold', label: text('Bold'), icon: Bold, hint: 'Ctrl+B' },
  { kind: 'italic', label: text('Italic'), icon: Italic, hint: 'Ctrl+I' },
  { kind: 'strikethrough', label: text('Strikethrough'), icon: Strikethrough },
  { kind: 'link', label: text('Link'), icon: Link, hint: 'Ctrl+Shift+L' },
  { kind: 'code', label: text('Code'), icon: Code, hint: 'Ctrl+Shift+C' },
  { kind: 'quote', label: text('Quotation'), icon: quoteIcon },
  { kind: 'bullets', label: text('Bulleted list'), icon: bulletsIcon },
  { kind: 'numbers', label: text('Numbered list'), icon: ListOrdered },
  { kind: 'spoiler', label: text('Spoiler'), icon: EyeOff },
  { kind: 'math', label: text('Formula'), icon: Sigma },
]

interface FormatButtonsProps {
  readonly isDisabled: boolean
  readonly onFormat: (kind: Format) => void
}

/** A button for each format, in a row of its own. */
export function FormatButtons({ isDisabled, onFormat }: FormatButtonsProps) {
  if (!areShown.value) return null
  return (
    <div class="editor-formats" role="toolbar" aria-label={t('Formatting')}>
      {formats.map(({ kind, label, icon, hint }) => (
        <IconButton
          key={kind}
          label={t(label)}
          icon={icon}
          size={16}
          hint={hint ? `${t(label)} (${hint})` : t(label)}
          disabled={isDisabled}
          onClick={() => onFormat(kind)}
        />
      ))}
    </div>
  )
}

const storageKey = 'parley:formats'
/** Whether this browser's user wants the formats to be there. */
const areShown = signal(localValues.getItem(storageKey) === 'shown')

/** Shows or hides the formats, also from now on. */
export function FormatsToggle() {
  return (
    <IconButton
      label={t('Formatting')}
      icon={CaseSensitive}
      size={20}
      aria-pressed={areShown.value}
      onClick={() => {
        areShown.value = !areShown.peek()
        if (areShown.peek()) localValues.setItem(storageKey, 'shown')
        else localValues.removeItem(storageKey)
      }}
    />
  )
}

interface AddButtonProps {
  readonly onFiles: (files: Iterable<File>) => void
  /** What else can be added, asked for when the menu opens. */
  readonly others: (button: Element) => readonly MenuItem[]
}

/** A button with a menu of what a message can have besides text; files come first. */
export function AddButton({ onFiles, others }: AddButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  const open = (button: Element) => {
    const items: MenuItem[] = [
      { label: t('Attach files'), icon: Paperclip, onSelect: () => input.current?.click() },
      ...others(button),
    ]
    openMenu(t('Add to the message'), button, 'top-start', items)
  }
  return (
    <>
      <IconButton
        label={t('Add to the message')}
        icon={Plus}
        size={20}
        aria-haspopup="menu"
        onClick={(event) => open(event.currentTarget)}
      />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          const { files } = event.currentTarget
          // Emptying the field empties its list as well.
          if (files) onFiles([...files])
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}
