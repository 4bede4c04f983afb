/** Where a log-in with the account of a provider begins. Apps append their parameters. */
export const logInPathOf = (id: string) => `/accounts/login/social/oidc/${id}`

/** Where someone begins who has no account here yet. */
export const signUpPathOf = (id: string) => `/accounts/register/social/oidc/${id}`

/** Where a provider sends people back to. */
export const callbackPathOf = (id: string) => `/complete/oidc/${id}/`

/** Where someone who has logged out here goes to log out at the provider as well. */
export const logOutPathOf = (id: string) => `/accounts/logout/social/oidc/${id}`
