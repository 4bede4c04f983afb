import { later } from '#client/ui/later.ts'

/** The commands that need nothing but the app: few pages that are open get a key. */
export const ownCommands = later(async () => (await import('./commands.ts')).commandsOf)
