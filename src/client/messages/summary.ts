import type { Message } from '#client/state/model.ts'
import { listText, t, tn } from '#client/ui/t.ts'
import { messageText } from '#shared/message-text.ts'
import { widgetHead } from '#shared/widget-head.ts'

/**
 * What a message says in one line, where it is not drawn: lists, pins, cards, notices. A poll is
 * told as one and not by the text that made it, and a message that is only files by what they are.
 */
export function summaryOf({ html, submessages, senderId }: Message): string {
  const { kind, title = '' } = widgetHead(submessages, senderId) ?? {}
  switch (kind) {
    case 'poll':
      return t('Poll: {question}', { question: title })
    case 'todo':
      return title ? t('To-do list: {title}', { title }) : t('To-do list')
    case 'choices':
      return title
  }
  return filesOnly(html) ?? messageText(html).replace(/\s+/g, ' ')
}

const upload = /<a href="(\/user_uploads\/[^"<>]{1,500})"[^<>]{0,500}>([^<>]{0,500})<\/a>/g

/** "2 pictures and report.pdf" for a message that is nothing else; undefined for others. */
function filesOnly(html: string): string | undefined {
  if (messageText(html.replace(upload, '')) !== '') return undefined
  const named = new Map([...html.matchAll(upload)].map(([, href, name]) => [href, name]))
  const shown = new Set(
    [...html.matchAll(/message_inline_image"><a href="([^"]{1,3000})"/g)].map(([, href]) => href),
  )
  const pictures = shown.size
  const others = [...named].filter(([href]) => !shown.has(href)).map(([, name = '']) => name)
  const parts = [
    ...(pictures > 0 ? [tn(pictures, 'One picture', '{count} pictures')] : []),
    ...(others.length > 1 ? [tn(others.length, 'One file', '{count} files')] : others),
  ]
  return parts.length > 0 ? messageText(listText(parts)) : undefined
}
