import { useEffect, useState } from 'preact/hooks'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { ServerHtml } from '#client/messages/message-body.tsx'
import { t } from '#client/ui/t.ts'
import { type WidgetSource, widgetSource } from './widget-source.ts'

/** Texts that were rendered lately, by their source: drafts are looked at again and again. */
const rendered = new Map<string, Promise<string>>()
const mostRendered = 100

/** A text as the server would render it. @throws CallError */
export function renderSource(app: App, source: string): Promise<string> {
  const known = rendered.get(source)
  if (known) return known
  const asked = app.api
    .post<{ rendered: string }>('/messages/render', { content: source })
    .then(({ rendered: html }) => html)
  rendered.set(source, asked)
  const [oldest] = rendered.keys()
  if (rendered.size > mostRendered && oldest !== undefined) rendered.delete(oldest)
  asked.catch(() => rendered.delete(source))
  return asked
}

interface SourceViewProps {
  readonly source: string
  /** The HTML, where the server has sent it; it is asked for otherwise. */
  readonly html?: string
}

/** A text that was not sent yet, drawn as the message that it will be. Nothing in it acts. */
export function SourceView({ source, html }: SourceViewProps) {
  const app = useApp()
  const [reply, setReply] = useState<string>()
  const shown = html ?? reply
  const widget = widgetSource(source)
  useEffect(() => {
    if (html !== undefined || widget) return
    let isCurrent = true
    renderSource(app, source).then(
      (found) => isCurrent && setReply(found),
      // Then its source is there.
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [app, source, html])
  return (
    <div class="source-view" inert>
      {widget ? (
        <WidgetWords widget={widget} />
      ) : shown === undefined ? (
        <p class="rendered-plain" dir="auto">
          {source}
        </p>
      ) : (
        <ServerHtml html={shown} />
      )}
    </div>
  )
}

function WidgetWords({ widget: { kind, title, lines } }: { readonly widget: WidgetSource }) {
  return (
    <div class="stack surface widget" dir="auto">
      <strong>
        {kind === 'poll'
          ? t('Poll: {question}', { question: title })
          : title
            ? t('To-do list: {title}', { title })
            : t('To-do list')}
      </strong>
      <ul class="rendered">
        {lines.map((line, i) => (
          <li key={i}>{line}</li>
        ))}
      </ul>
    </div>
  )
}
