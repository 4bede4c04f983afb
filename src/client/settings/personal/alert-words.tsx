import { Trash2 } from 'lucide'
import { useState } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { attempt } from '#client/commands/attempt.ts'
import { problemIn, useSave } from '#client/commands/use-save.ts'
import { type Column, DataTable } from '#client/settings/ui/data-table.tsx'
import { byName } from '#client/state/names.ts'
import { Button, IconButton } from '#client/ui/button.tsx'
import { Problem } from '#client/ui/problem.tsx'
import { t } from '#client/ui/t.ts'

const longest = 100

/** Words that notify the user as mentions do. */
export function AlertWords() {
  const app = useApp()
  const [text, setText] = useState('')
  const word = text.trim()
  const adding = useSave('', (next) =>
    app.api.post('/users/me/alert_words', { alert_words: [next] }),
  )
  const remove = async (each: string) => {
    const path = '/users/me/alert_words'
    const done = await attempt(app, app.api.delete(path, { alert_words: [each] }))
    if (done) app.notify(t('“{word}” was removed from your alert words.', { word: each }))
  }
  const columns: readonly Column<string>[] = [
    { id: 'word', title: t('Word'), compare: byName, cell: (each) => each },
    {
      id: 'remove',
      title: t('Remove'),
      hasHiddenTitle: true,
      isNarrow: true,
      cell: (each) => (
        <IconButton
          label={t('Remove {name}', { name: each })}
          icon={Trash2}
          size={16}
          onClick={() => void remove(each)}
        />
      ),
    },
  ]
  const { status } = adding
  return (
    <>
      <p class="field-help">
        {t('Messages with these words notify you like mentions, and the words are highlighted.')}
      </p>
      <form
        class="stack tight setting add-row"
        onSubmit={async (event) => {
          event.preventDefault()
          if (word !== '' && (await adding.save(word))) setText('')
        }}
      >
        <input
          class="input"
          aria-label={t('New alert word')}
          placeholder={t('New alert word')}
          maxLength={longest}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <Button
          type="submit"
          kind="primary"
          isBusy={status.kind === 'saving'}
          disabled={word === ''}
        >
          {t('Add')}
        </Button>
        <Problem text={problemIn(status)} />
      </form>
      <DataTable
        label={t('Alert words')}
        rows={app.store.alertWords.value}
        columns={columns}
        keyOf={(each) => each}
        sortedBy="word"
        empty={t('You have no alert words.')}
      />
    </>
  )
}
