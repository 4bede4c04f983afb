import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { App } from './app.ts'

/** Gives the components below it the App: `<AppContext value={app}>`. */
export const AppContext = createContext<App | undefined>(undefined)

/** What components and commands share. Throws outside `AppContext`. */
export function useApp(): App {
  const app = useContext(AppContext)
  if (!app) throw new Error('There is no AppContext around this component.')
  return app
}
