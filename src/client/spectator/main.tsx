import { render } from 'preact'
import { CallError } from '#client/api/api.ts'
import { createApi } from '#client/api/fetch-api.ts'
import { followDays } from '#client/start/follow-days.ts'
import { FailureScreen, LoadingScreen } from '#client/start/screens.tsx'
import { loadCatalogue, tRefusal } from '#client/ui/t.ts'
import { trackTimes } from '#client/ui/times.ts'
import { settings } from './messages-pane.tsx'
import { fetchOrganization } from './organization.ts'
import { SpectatorPage } from './page.tsx'

const root = document.getElementById('app')
if (root) void start(root)

async function start(root: HTMLElement): Promise<void> {
  await loadCatalogue()
  trackTimes()
  followDays(() => settings)
  await show(root)
}

/** Draws the public channels for someone without an account, or goes to the log-in page. */
async function show(root: HTMLElement): Promise<void> {
  const api = createApi()
  render(<LoadingScreen />, root)
  try {
    const organization = await fetchOrganization(api)
    render(<SpectatorPage api={api} organization={organization} />, root)
  } catch (error) {
    if (error instanceof CallError && error.status === 401) {
      location.assign(`/login/${location.hash}`)
      return
    }
    const problem = error instanceof CallError ? tRefusal(error) : String(error)
    render(<FailureScreen problem={problem} retry={() => void show(root)} />, root)
  }
}
