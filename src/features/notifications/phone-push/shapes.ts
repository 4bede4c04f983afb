import * as shape from '#platform/shape.ts'

/** The status of a registration, as clients see it. */
const pushDeviceShapes = {
  status: shape.choice('active', 'pending', 'failed'),
  error_code: shape.maybe(
    shape.noted(shape.string, 'Why it failed: `INVALID_BOUNCER_PUBLIC_KEY` and the like.'),
  ),
}

export const pushDeviceShape = shape.object(pushDeviceShapes)

/**
 * The registrations by push account ID.
 *
 * @source Zulip API, "API changelog" (feature level 406; replaced in 468)
 */
export const pushDevicesShape = shape.record(pushDeviceShape)

export const pushEventShapes = [
  shape.event('PushDeviceEvent', 'push_device', {
    push_account_id: shape.string,
    ...pushDeviceShapes,
  }),
]
