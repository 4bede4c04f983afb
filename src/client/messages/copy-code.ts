import { Check, Copy } from 'lucide'
import { copyText } from '#client/ui/clipboard.ts'
import { iconElement } from './message-html.ts'

/** Copies the code beside a copy button, and says so in its place for a moment. */
export async function copyCode(button: HTMLElement): Promise<void> {
  const code = button.closest('.codehilite')?.querySelector('code')?.textContent ?? ''
  await copyText(code)
  button.replaceChildren(iconElement(Check))
  setTimeout(() => button.replaceChildren(iconElement(Copy)), 1500)
}
