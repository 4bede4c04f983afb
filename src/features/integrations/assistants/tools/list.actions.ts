import { askPerson } from './asking.actions.ts'
import { attachFile, readFile } from './files.actions.ts'
import { markAsRead, react, schedule } from './marking.actions.ts'
import { findTool, whatsNew } from './overview.actions.ts'
import { openLink, readConversation } from './reading.actions.ts'
import { searchMessages } from './searching.actions.ts'
import type { Tool } from './tool.actions.ts'
import { editMessage, reply, sendMessageTool } from './writing.actions.ts'

/** All tools, in the order in which clients list them. */
export const tools: readonly Tool[] = [
  whatsNew,
  searchMessages,
  readConversation,
  findTool,
  openLink,
  readFile,
  sendMessageTool,
  reply,
  askPerson,
  editMessage,
  react,
  markAsRead,
  schedule,
  attachFile,
]
