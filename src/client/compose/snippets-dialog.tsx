import { Pencil, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'
import type { SavedSnippet } from '#client/api/wire.ts'
import type { App } from '#client/app.ts'
import { attempt } from '#client/commands/attempt.ts'
import { FormDialog } from '#client/commands/form-dialog.tsx'
import { FormText } from '#client/commands/form-fields.tsx'
import { byName } from '#client/state/names.ts'
import { Button, IconButton } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { isFinishing } from '#client/ui/finishing.ts'
import { rank } from '#client/ui/fuzzy.ts'
import { t } from '#client/ui/t.ts'

interface SnippetsDialogProps {
  readonly app: App
  readonly onClose: () => void
}

type SnippetDraft = Pick<SavedSnippet, 'title' | 'content'> & { readonly id?: number }

/** Texts that the user keeps to use again. */
export function SnippetsDialog({ app, onClose }: SnippetsDialogProps) {
  const [query, setQuery] = useState('')
  const [edited, setEdited] = useState<SnippetDraft>()
  const all = [...app.store.snippets.all.values()].sort((a, b) => byName(a.title, b.title))
  const found = query.trim() === '' ? all : rank(all, query, { names: ({ title }) => title })
  if (edited) return <SnippetForm app={app} snippet={edited} onClose={() => setEdited(undefined)} />

  function insert(snippet: SavedSnippet): void {
    onClose()
    app.compose.insert(snippet.content)
  }

  return (
    <Dialog
      title={t('Saved snippets')}
      onClose={onClose}
      footer={
        <Button
          kind="primary"
          onClick={() => setEdited({ title: '', content: app.compose.state.peek().text })}
        >
          {t('New snippet')}
        </Button>
      }
    >
      <div class="form">
        <input
          class="input"
          type="search"
          autoFocus
          aria-label={t('Find a snippet')}
          placeholder={t('Find a snippet')}
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (isFinishing(event)) return
            if (event.key === 'Enter' && found[0]) insert(found[0])
          }}
        />
        {all.length === 0 && <p class="field-help">{t('You have no snippets yet.')}</p>}
        <ul class="stack snippets">
          {found.map((snippet) => (
            <li key={snippet.id} class="saved-snippet">
              <button type="button" class="grow snippet-text" onClick={() => insert(snippet)}>
                <strong class="ellipsis">{snippet.title}</strong>
                <span class="ellipsis">{snippet.content}</span>
              </button>
              <IconButton
                label={t('Edit {title}', { title: snippet.title })}
                icon={Pencil}
                size={14}
                onClick={() => setEdited(snippet)}
              />
              <IconButton
                label={t('Delete {title}', { title: snippet.title })}
                icon={Trash2}
                size={14}
                onClick={() => void attempt(app, app.api.delete(`/saved_snippets/${snippet.id}`))}
              />
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  )
}

interface SnippetFormProps {
  readonly app: App
  readonly snippet: SnippetDraft
  readonly onClose: () => void
}

function SnippetForm({ app, snippet, onClose }: SnippetFormProps) {
  const [title, setTitle] = useState(snippet.title)
  const [content, setContent] = useState(snippet.content)
  const isComplete = title.trim() !== '' && content.trim() !== ''

  const { id } = snippet
  return (
    <FormDialog
      title={id === undefined ? t('New snippet') : t('Edit snippet')}
      action={t('Save')}
      isInvalid={!isComplete}
      onSave={() => {
        const params = { title, content }
        return id === undefined
          ? app.api.post('/saved_snippets', params)
          : app.api.patch(`/saved_snippets/${id}`, params)
      }}
      onClose={onClose}
    >
      <FormText
        label={t('Title')}
        parameter="title"
        value={title}
        onInput={setTitle}
        maxLength={60}
      />
      <FormText
        label={t('Text')}
        parameter="content"
        value={content}
        onInput={setContent}
        isLong
        rows={6}
      />
    </FormDialog>
  )
}
