import { type ReadonlySignal, signal } from '@preact/signals'
import { CaseSensitive, Paperclip, Plus } from 'lucide'
import { useRef } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { openMenu } from '#client/commands/open-menu.ts'
import { localValues } from '#client/ui/browser-storage.ts'
import { IconButton } from '#client/ui/button.tsx'
import type { MenuItem } from '#client/ui/menu.tsx'
import { t } from '#client/ui/t.ts'

const storageKey = 'parley:formats'
/** Whether this browser's user wants the formats to be there. */
const areShown = signal(localValues.getItem(storageKey) === 'shown')

export const areFormatsShown: ReadonlySignal<boolean> = areShown

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
  const app = useApp()
  const input = useRef<HTMLInputElement>(null)
  const open = (button: Element) => {
    const items: MenuItem[] = [
      { label: t('Attach files'), icon: Paperclip, onSelect: () => input.current?.click() },
      ...others(button),
    ]
    openMenu(app, t('Add to the message'), button, 'top-start', items)
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
