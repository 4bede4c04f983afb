import {
  Bold,
  Code,
  EyeOff,
  Italic,
  Link,
  List,
  ListOrdered,
  Sigma,
  Strikethrough,
  TextQuote,
} from 'lucide'
import { IconButton } from '#client/ui/button.tsx'
import { type IconNode, pointing } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'
import { type Text, text } from '#translations/translate.ts'
import { areFormatsShown } from './editor-tools.tsx'
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
  if (!areFormatsShown.value) return null
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
