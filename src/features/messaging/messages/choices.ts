/** How much of a topic a change moves. @source Zulip API, "Edit a message", `propagate_mode` */
export const propagateModes = ['change_one', 'change_later', 'change_all'] as const
export type PropagateMode = (typeof propagateModes)[number]

/** The flags that users set themselves. @source Zulip API, "Update personal message flags" */
export const editableFlags = ['read', 'starred', 'collapsed', 'hide_link_previews'] as const
export type EditableFlag = (typeof editableFlags)[number]
