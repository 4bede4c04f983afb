/** The whole reply of a call that answers nothing but its success. */
export const success = { result: 'success', msg: '' }

/** The whole reply of a call that failed, for comparing with `deepEqual`. */
export function failure(msg: string, code = 'BAD_REQUEST', extra: object = {}): object {
  return { result: 'error', msg, code, ...extra }
}
