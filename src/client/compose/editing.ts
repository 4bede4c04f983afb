import { later } from '#client/ui/later.ts'

/** What a box can do besides taking text and sending it. */
export const editing = later(async () => (await import('./editing-kit.ts')).editingKit)
