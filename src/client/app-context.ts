import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { App } from './app.ts'

/** Provides the App to the components below it: `<AppContext value={app}>`. */
export const AppContext = createContext<App | undefined>(undefined)

/** The App of components and commands. Throws outside `AppContext`. */
export function useApp(): App {
  const app = useContext(AppContext)
  if (!app) throw new Error('There is no AppContext around this component.')
  return app
}
