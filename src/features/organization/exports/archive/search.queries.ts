import { listMessages, newestMessageId } from '#features/foundation/core/queries.ts'
import type { HistorySource } from '#features/organization/exports/history/source.ts'
import { textEntry } from '#features/organization/exports/history/spool.ts'
import type { TarEntry } from '#features/organization/exports/tar.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import { messageText } from '#shared/message-text.ts'
import {
  type ArchiveSource,
  type Conversation,
  keyOf,
  pagePath,
  pageSize,
} from './conversations.queries.ts'
import { archivePage } from './pages.ts'
import { type SearchedMessage, searchIndex } from './search-index.queries.ts'
import { searchScript } from './search-script.ts'

/**
 * The page that searches an archive, its script, and the index.
 *
 * @param name of the organization
 */
export async function* searchFiles(
  source: HistorySource,
  shown: ArchiveSource,
  name: string,
): AsyncGenerator<TarEntry> {
  yield textEntry(
    'search.html',
    archivePage({
      title: 'Search',
      trail: [[name, 'index.html']],
      up: '',
      needs: 'search',
      main: searchForm,
    }),
  )
  yield textEntry('search/search.js', searchScript)
  yield* searchIndex(source, searchedMessages(shown, source))
}

const searchForm = `<form role="search">
<label for="words">Words</label>
<input id="words" type="search" autocomplete="off" autofocus aria-describedby="help">
<p id="help"><small>Finds messages that have all words; the last one may be the beginning of a word.</small></p>
</form>
<p id="status" role="status"></p>
<ol id="results" class="results"></ol>
<button id="more" type="button" hidden>Show more</button>
<noscript><p>The search needs JavaScript.</p></noscript>`

const nextIds = preparedSql<{ id: number }>(
  'SELECT id FROM messages WHERE id > @after ORDER BY id LIMIT 200',
)

/** All messages of the archive, by ID. */
function* searchedMessages(
  { conversations, people, read, selection }: ArchiveSource,
  { report }: Pick<HistorySource, 'report'>,
): Generator<SearchedMessage> {
  const total = newestMessageId(read)
  /** How many messages of each conversation came. */
  const counts = new Map<Conversation, number>()
  for (let after = 0; ; ) {
    const ids = nextIds(read)
      .all({ after })
      .map(({ id }) => id)
    const last = ids.at(-1)
    if (last === undefined) return
    report('Writing the search', after, total)
    after = last
    for (const message of listMessages(read, ids)) {
      const conversation = conversations.get(keyOf(message))
      if (!conversation) continue
      const earlier = counts.get(conversation) ?? 0
      counts.set(conversation, earlier + 1)
      if (!selection.hasMessage(message)) continue
      const text = messageText(message.renderedContent)
      const titles = conversation.trail.length > 1 ? [conversation.title] : []
      yield {
        id: message.id,
        // Most messages have no markup.
        texts: [text, ...(text === message.content ? [] : [message.content]), ...titles],
        text,
        place: [...conversation.trail.slice(1).map(([title]) => title), conversation.title].join(
          ' › ',
        ),
        page: pagePath(conversation, Math.floor(earlier / pageSize) + 1),
        sender: people.get(message.senderId)?.fullName ?? 'Unknown',
        sentAt: message.sentAt,
      }
    }
  }
}
