import { NotebookPen, Pencil, Trash2 } from 'lucide'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { openConfirm } from '#client/commands/confirm-dialog.tsx'
import type { LocalDraft } from '#client/compose/draft-entries.ts'
import { SourceView } from '#client/compose/source-view.tsx'
import { conversationOf } from '#client/state/compose-target.ts'
import { Button, IconButton } from '#client/ui/button.tsx'
import { exactText, shortText } from '#client/ui/dates.ts'
import { Icon } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'
import { TargetName } from './target-name.tsx'

/** Texts that were begun, here or in another browser of the user. */
export function DraftsView() {
  const app = useApp()
  const drafts = app.drafts.all.value
  if (drafts.length === 0) {
    return (
      <div class="view">
        <div class="empty">
          <Icon node={NotebookPen} size={40} class="empty-icon" />
          <h2>{t('No drafts')}</h2>
          <p>{t('Messages you start writing are saved here until you send them.')}</p>
        </div>
      </div>
    )
  }
  return (
    <div class="view">
      <div class="row cluster view-tools">
        <Button
          icon={Trash2}
          onClick={() =>
            openConfirm({
              title: t('Delete all drafts?'),
              text: t('They cannot be restored.'),
              action: t('Delete'),
              run: async () => {
                for (const { key } of drafts) app.drafts.remove(key)
              },
            })
          }
        >
          {t('Delete all')}
        </Button>
      </div>
      <ul class="stack loose cards" aria-label={t('Drafts')}>
        {drafts.map((draft) => (
          <DraftCard key={draft.key} draft={draft} />
        ))}
      </ul>
    </div>
  )
}

function DraftCard({ draft }: { readonly draft: LocalDraft }) {
  const app = useApp()
  const { key, target, content, updatedAt } = draft
  const settings = app.store.settings.value
  return (
    <li class="surface paper-card" data-row>
      <header class="paper-card-head">
        <TargetName target={target} />
        <time title={exactText(updatedAt / 1000, settings)}>
          {shortText(updatedAt / 1000, settings)}
        </time>
      </header>
      <div class="paper-card-text">
        <SourceView source={content} />
        <button
          type="button"
          class="paper-card-over"
          aria-label={t('Go on writing: {text}', { text: content })}
          onClick={() => continueDraft(app, draft)}
        />
      </div>
      <footer class="paper-card-foot">
        <IconButton
          label={t('Go on writing')}
          icon={Pencil}
          size={16}
          onClick={() => continueDraft(app, draft)}
        />
        <IconButton
          label={t('Delete the draft')}
          icon={Trash2}
          size={16}
          onClick={() => app.drafts.remove(key)}
        />
      </footer>
    </li>
  )
}

function continueDraft(app: App, { target, content }: LocalDraft): void {
  const conversation = conversationOf(target)
  if (conversation) app.router.go({ kind: 'messages', narrow: conversation })
  app.compose.open(target, { text: content, focus: true })
}
