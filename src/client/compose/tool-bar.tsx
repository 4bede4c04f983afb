import { AtSign, Eye, EyeClosed, SmilePlus } from 'lucide'
import type { RefObject } from 'preact'
import { useMemo } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { openEmojiPicker } from '#client/commands/open-emoji-picker.ts'
import { IconButton } from '#client/ui/button.tsx'
import type { MenuItem } from '#client/ui/menu.tsx'
import { t } from '#client/ui/t.ts'
import { editing } from './editing.ts'
import type { Editor } from './editor.ts'
import { AddButton, FormatsToggle } from './editor-tools.tsx'

interface ToolBarProps {
  readonly editorRef: RefObject<Editor | undefined>
  readonly isPreview: boolean
  readonly onPreview: (isPreview: boolean) => void
  readonly others?: ((button: Element) => readonly MenuItem[]) | undefined
}

interface ToolBarActs {
  readonly insert: (added: string) => void
  readonly addFiles: (files: Iterable<File>) => void
  /** Begins a mention where the caret is. */
  readonly mention: () => void
}

/** The buttons of the tool bar. */
export function useToolBar(
  { editorRef, isPreview, onPreview, others }: ToolBarProps,
  { insert, addFiles, mention }: ToolBarActs,
) {
  const app = useApp()
  const kit = editing.value
  // Nothing of it changes with the text: what is the same vnode is not drawn again with every key.
  return useMemo(
    () => ({
      tools: (
        <>
          <AddButton onFiles={addFiles} others={others ?? (() => [])} />
          <FormatsToggle />
          <IconButton
            label={t('Emoji')}
            icon={SmilePlus}
            onClick={(event) =>
              openEmojiPicker(
                app,
                event.currentTarget,
                (emoji, text) => insert(`${text ?? `:${emoji.name}:`} `),
                { isForText: true },
              )
            }
          />
          <IconButton
            label={t('Mention someone')}
            icon={AtSign}
            disabled={isPreview}
            onClick={mention}
          />
          <IconButton
            label={isPreview ? t('Write') : t('Preview')}
            hint={`${t('Preview')} (Alt+P)`}
            icon={isPreview ? EyeClosed : Eye}
            aria-pressed={isPreview}
            onClick={() => onPreview(!isPreview)}
          />
        </>
      ),
      formats: kit && (
        <kit.FormatButtons
          isDisabled={isPreview}
          onFormat={(kind) => editorRef.current?.change((selected) => kit.format(selected, kind))}
        />
      ),
    }),
    [app, kit, editorRef, isPreview, onPreview],
  )
}
