import { preparedSql } from '#platform/store/prepared.ts'
import type { Read } from '#platform/store/store.ts'
import { taskKey } from '#shared/task-keys.ts'

const addedTask = preparedSql<{ id: number }>(`
  SELECT id FROM submessages
  WHERE message_id = @messageId AND sender_id = @userId
    AND CASE WHEN json_valid(content)
      THEN content ->> '$.type' = 'new_task' AND content ->> '$.key' = @index END
  LIMIT 1
`)

/** The content of a submessage, with the key of the task that it strikes as all clients know it. */
export function withTaskKey(read: Read, messageId: number, content: string): string {
  if (!content.includes('"strike"')) return content
  const step = parsed(content)
  if (step?.type !== 'strike' || typeof step.key !== 'string') return content
  const key = taskKey(step.key, (asked) => {
    const [index, userId] = asked.split(',').map(Number)
    return addedTask(read).get({ messageId, userId, index }) !== undefined
  })
  return key === step.key ? content : JSON.stringify({ ...step, key })
}

function parsed(json: string): { readonly type?: unknown; readonly key?: unknown } | undefined {
  try {
    return JSON.parse(json) ?? undefined
  } catch {
    return undefined
  }
}
