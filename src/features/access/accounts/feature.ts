import { feature } from '#platform/feature.ts'
import { newAccountQuota } from './administration/quotas.ts'
import * as administrationRoutes from './administration/routes.ts'
import * as apiKeyRoutes from './api-key/routes.ts'
import { mountLogin } from './login/pages.ts'
import * as loginRoutes from './login/routes.ts'
import { mountSecondStep } from './login/second-step.pages.ts'
import { mountAccount } from './mail-links/pages.ts'
import * as ownSettingsRoutes from './own-settings/routes.ts'
import * as ownStatusRoutes from './own-status/routes.ts'
import { sendPasswordResets } from './password-reset/jobs.ts'
import * as routes from './routes.ts'
import { mountUnsubscribe } from './unsubscribe/pages.ts'

export const accounts = feature({
  routes: {
    Users: [routes, administrationRoutes, ownStatusRoutes],
    'Own settings': [ownSettingsRoutes],
    'Logging in': [loginRoutes, apiKeyRoutes],
  },
  jobs: [sendPasswordResets],
  pages: [mountLogin, mountSecondStep, mountUnsubscribe, mountAccount],
  quotas: [newAccountQuota],
})
