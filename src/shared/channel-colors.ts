/**
 * The colors of new subscriptions: a server has to send one, and the web client shows only those that
 * someone chose, for which it offers others.
 */
export const automaticColors = [
  '#3a86c8',
  '#d1495b',
  '#5fa55a',
  '#e09f3e',
  '#8d6cab',
  '#2a9d8f',
  '#c77b58',
  '#6d7f93',
  '#b5579c',
  '#8aa629',
  '#4f6db8',
  '#cf6a87',
  '#469990',
  '#b98b2f',
  '#7b5ea7',
  '#d9776a',
  '#4c9bd4',
  '#7a8c3e',
  '#a0636e',
  '#3f7f93',
  '#c4913c',
  '#6b8fd6',
  '#9a7b4f',
  '#58a07c',
] as const
