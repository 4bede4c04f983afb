import { render } from '#platform/markdown/render.ts'
import type { Lookups, MentionedGroup, RenderedMarkdown } from '#platform/markdown/types.ts'

const people = [
  { id: 8, fullName: 'Desdemona', isActive: true },
  { id: 10, fullName: 'Othello', isActive: true },
  { id: 31, fullName: 'Othello', isActive: true },
  { id: 12, fullName: 'Old Gobbo', isActive: false },
]

const group = { isSystem: false, mentionable: true, deactivated: false }
const groups: MentionedGroup[] = [
  { ...group, id: 5, name: 'crew', displayName: 'crew' },
  { ...group, id: 6, name: 'council', displayName: 'council', mentionable: false },
  { ...group, id: 7, name: 'chorus', displayName: 'chorus', deactivated: true },
  {
    id: 2,
    name: 'role:administrators',
    displayName: 'Administrators',
    isSystem: true,
    mentionable: false,
    deactivated: false,
  },
]

const channels = [
  { id: 2, name: 'general' },
  { id: 9, name: 'sea & shore' },
]

const picture = { contentType: 'image/png', name: 'cat.png', width: 1200, height: 800 }
const uploads: Record<string, ReturnType<NonNullable<Lookups['upload']>>> = {
  '2/ab/Kq/cat.png': { ...picture, thumbnailed: true },
  '2/ab/Kq/new.png': { ...picture, thumbnailed: false },
  '2/ab/Kq/moving.gif': {
    contentType: 'image/gif',
    name: 'moving.gif',
    animated: true,
    thumbnailed: true,
  },
  '2/ab/Kq/song.mp3': { contentType: 'audio/mpeg', name: 'song.mp3' },
  '2/ab/Kq/film.mp4': { contentType: 'video/mp4', name: 'film.mp4' },
  '2/ab/Kq/paper.pdf': { contentType: 'application/pdf', name: 'paper.pdf' },
}

/** A little organization to look names up in. */
const lookups: Lookups = {
  usersByName: (name) =>
    people.filter(({ fullName }) => fullName.toLowerCase() === name.toLowerCase()),
  userById: (id) => people.find((person) => person.id === id),
  groupByName: (name) => groups.find((each) => each.name === name),
  channelByName: (name) => channels.find((channel) => channel.name === name.toLowerCase()),
  newestInTopic: (_, topic) => (topic === 'plans' || topic === '' ? 71 : undefined),
  customEmoji: (name) =>
    name === 'blob' ? { name, sourceUrl: '/user_avatars/2/emoji/images/1.png' } : undefined,
  linkifiers: [],
  emptyTopicDisplayName: 'general chat',
  defaultCodeLanguage: '',
  realmUrl: 'https://chat.example.com',
  upload: (pathId) => uploads[pathId],
  translateEmoticons: false,
  previewsEnabled: true,
}

export function rendered(source: string, changed: Partial<Lookups> = {}): RenderedMarkdown {
  return render(source, { ...lookups, ...changed })
}

export function html(source: string, changed: Partial<Lookups> = {}): string {
  return rendered(source, changed).html
}
