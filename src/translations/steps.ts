/** A block of code, a code span, or a bold name. */
const fixed = /```.*?\n```|`[^`\n]+`|\*\*[^*\n]+\*\*/gs

/**
 * Splits a step to set up a service into what is translated and what stays: `Open {1}, and paste {2}.` with
 * the bold names and the code, as Markdown.
 */
export function stepParts(step: string): {
  readonly pattern: string
  readonly values: Readonly<Record<string, string>>
} {
  const values: Record<string, string> = {}
  let count = 0
  const pattern = step.replace(fixed, (part) => {
    count++
    values[String(count)] = part
    return `{${count}}`
  })
  return { pattern, values }
}
