import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { problemOf } from '#client/commands/attempt.ts'
import { showCalls } from '#client/messages/call-links.ts'
import { insertHtml } from '#client/messages/message-html.ts'
import { t } from '#client/ui/t.ts'
import { renderSource } from './source-view.tsx'

interface PreviewProps {
  readonly text: string
  readonly focusRef: RefObject<HTMLElement | null>
}

/** A text as the server would render it. */
export function Preview({ text, focusRef }: PreviewProps) {
  const app = useApp()
  const element = useRef<HTMLDivElement>(null)
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    let isCurrent = true
    const show = (html: string) => {
      if (!isCurrent || !element.current) return
      insertHtml(element.current, html, app)
      showCalls(element.current, html, app)
    }
    setProblem(undefined)
    if (text.trim() === '') show(`<p>${t('There is nothing to show yet.')}</p>`)
    else {
      renderSource(app, text).then(show, (error: unknown) => setProblem(problemOf(error)))
    }
    return () => {
      isCurrent = false
    }
  }, [app, text])
  return (
    <section ref={focusRef} class="preview" tabIndex={-1} aria-label={t('Preview')}>
      {problem && <p class="field-problem">{problem}</p>}
      <div ref={element} class="rendered message-content" dir="auto" />
    </section>
  )
}
