import * as shape from '#platform/shape.ts'

export const externalMethodShape = shape.named('ExternalAuthenticationMethod', {
  name: shape.string,
  display_name: shape.string,
  display_icon: shape.nullable(shape.string),
  login_url: shape.noted(
    shape.string,
    'Where a log-in begins; clients append `mobile_flow_otp` or `desktop_flow_otp`, 64 hex digits.',
  ),
  signup_url: shape.string,
})
