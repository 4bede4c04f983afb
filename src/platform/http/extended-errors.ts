import * as shape from '#platform/shape.ts'

/** The request header with which clients ask for `extendedErrorMembers`, whatever its value. */
export const extendedHeader = 'Extended-Members'

const origin = `With the request header \`${extendedHeader}\` (Parley's own).`

/** The members of errors that the announced feature level lacks. Others may fail on them. */
export const extendedErrorMembers = {
  parameter: shape.maybe(
    shape.noted(shape.string, `${origin} The parameter whose value is refused, if it is one.`),
  ),
  is_unknown: shape.maybe(
    shape.noted(
      shape.boolean,
      `${origin} Whether \`parameter\` names what does not exist, or what you cannot access.`,
    ),
  ),
  msg_template: shape.maybe(
    shape.noted(
      shape.string,
      `${origin} \`msg\` with \`{name}\` where values go, for translating it. Absent where \`msg\` has no translations.`,
    ),
  ),
  msg_values: shape.maybe(
    shape.noted(
      shape.record(shape.either(shape.string, shape.number)),
      `${origin} The values of \`msg_template\`, by name; absent if it has none.`,
    ),
  ),
}
