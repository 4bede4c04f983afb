import { useComputed, useSignal } from '@preact/signals'
import { MessagesSquare } from 'lucide'
import { useApp } from '#client/app-context.ts'
import { recentDefaults, recentOf } from '#client/lists/recent.ts'
import { Button } from '#client/ui/button.tsx'
import { FilterField } from '#client/ui/filter-field.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { phoneQuery } from '#client/ui/phone.ts'
import { t } from '#client/ui/t.ts'
import { ConversationRow, useConversationRows } from './conversation-row.tsx'

/** How many rows are drawn at first, and added each time: their texts are fetched together. */
const rowsAtOnce = 60

/** The direct conversations, the newest first. */
export function DirectsView() {
  const app = useApp()
  const filter = useSignal('')
  const limit = useSignal(rowsAtOnce)
  const rows = useComputed(() =>
    recentOf(app.store, { ...recentDefaults, kinds: 'direct', filter: filter.value }),
  )
  const shown = useComputed(() => rows.value.slice(0, limit.value))
  const newest = useComputed(() => shown.value.map(({ newestId }) => newestId))
  const view = useConversationRows(
    newest,
    (key) => rows.peek().find((row) => row.key === key)?.conversation,
  )
  const isFiltered = filter.value !== ''
  const faceSize = matchMedia(phoneQuery).matches ? 40 : 24
  return (
    <div ref={view} class="view">
      {(rows.value.length > 0 || isFiltered) && (
        <div class="row cluster view-tools">
          <FilterField
            label={t('Filter conversations')}
            placeholder={t('Filter')}
            value={filter.value}
            onChange={(text) => {
              filter.value = text
              limit.value = rowsAtOnce
            }}
            onChoose={() => {
              const [first] = rows.peek()
              if (first) app.router.go({ kind: 'messages', narrow: first.conversation })
            }}
          />
        </div>
      )}
      <ul class="inbox-part" aria-label={t('Direct messages')}>
        {shown.value.map((row) => (
          <ConversationRow key={row.key} one={row} faceSize={faceSize} />
        ))}
      </ul>
      {rows.value.length === 0 && (
        <div class="empty">
          <Icon node={MessagesSquare} size={40} class="empty-icon" />
          <h2>{isFiltered ? t('Nothing found') : t('No direct messages yet')}</h2>
          <p>
            {isFiltered
              ? t('No conversations match.')
              : t('Choose someone from the user list, or press X.')}
          </p>
        </div>
      )}
      {rows.value.length > limit.value && (
        <p class="center view-more">
          <Button
            onClick={() => {
              limit.value += rowsAtOnce
            }}
          >
            {t('Show more')}
          </Button>
        </p>
      )}
    </div>
  )
}
